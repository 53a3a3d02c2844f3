#pragma once

#include <stddef.h>

/// The text of one table: rows end in a line feed, columns are parted by tabs, trailing empty
/// columns are left out. README.md says what each table holds.
struct fhir_spec_table {
  const unsigned char *bytes;
  size_t count;
};

struct fhir_spec_table fhir_spec_types(void);
struct fhir_spec_table fhir_spec_elements(void);
struct fhir_spec_table fhir_spec_codes(void);
struct fhir_spec_table fhir_spec_search_parameters(void);
struct fhir_spec_table fhir_spec_compartments(void);
struct fhir_spec_table fhir_spec_narrative(void);
struct fhir_spec_table fhir_spec_folding(void);
struct fhir_spec_table fhir_spec_metrics(void);
struct fhir_spec_table fhir_spec_wearable_types(void);
struct fhir_spec_table fhir_spec_category_values(void);
struct fhir_spec_table fhir_spec_units(void);
struct fhir_spec_table fhir_spec_dstu2(void);
struct fhir_spec_table fhir_spec_health_connect(void);
