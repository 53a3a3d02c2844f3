#include <archive.h>
#include <archive_entry.h>
#include <langinfo.h>
#include <locale.h>
