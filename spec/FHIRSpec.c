#include "FHIRSpec.h"

// #embed is C23's, which clang offers in every mode with a warning that says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TABLE(name)                       \
  struct fhir_spec_table fhir_spec_##name(void) {     \
    return (struct fhir_spec_table){name##_text, sizeof name##_text}; \
  }

static const unsigned char types_text[] = {
#embed "tables/types.tsv"
};
static const unsigned char elements_text[] = {
#embed "tables/elements.tsv"
};
static const unsigned char codes_text[] = {
#embed "tables/codes.tsv"
};
static const unsigned char search_parameters_text[] = {
#embed "tables/search-parameters.tsv"
};
static const unsigned char compartments_text[] = {
#embed "tables/compartments.tsv"
};
static const unsigned char folding_text[] = {
#embed "tables/folding.tsv"
};
static const unsigned char metrics_text[] = {
#embed "tables/metrics.tsv"
};
static const unsigned char wearable_types_text[] = {
#embed "tables/wearable-types.tsv"
};
static const unsigned char category_values_text[] = {
#embed "tables/category-values.tsv"
};
static const unsigned char units_text[] = {
#embed "tables/units.tsv"
};
static const unsigned char health_connect_text[] = {
#embed "tables/health-connect.tsv"
};
static const unsigned char narrative_text[] = {
#embed "tables/narrative.tsv"
};
static const unsigned char dstu2_text[] = {
#embed "tables/dstu2.tsv"
};

TABLE(types)
TABLE(elements)
TABLE(codes)
TABLE(search_parameters)
TABLE(compartments)
TABLE(narrative)
TABLE(folding)
TABLE(metrics)
TABLE(wearable_types)
TABLE(category_values)
TABLE(units)
TABLE(dstu2)
TABLE(health_connect)
