# make run     a store with a synthetic person's month, served on loopback
# make test    everything that is checked, with a closing line that counts it
# make bench   the ratios that speed is measured by
# make fuzz    each fuzz target for a minute
# make browser the pages and fetches that need a real Chromium
# make format  the code in its one format

.PHONY: run test bench fuzz browser format packages

SWIFT_RELEASE = -c release --product kiln

run: packages
	swift build $(SWIFT_RELEASE)
	.build/release/kiln demo $(KILN_DEMO_ARGUMENTS)

test: packages
	Tests/run

bench: packages
	swift build $(SWIFT_RELEASE)
	.build/release/kiln bench

fuzz: packages
	Tests/Fuzz/run 60

browser: packages
	Tests/Clients/browser

format:
	swift format --in-place --recursive Package.swift Sources Tests

# Debian's packages, asked for only when one is missing.
packages:
	@Tests/packages
