#include "FHIRSpec.h"
