// Which instances of a template of a kernel an operator has, as its host chooses among them by a key. Here an instance
// is launched by its arguments, and the lists say nothing more.
#ifndef TILESMITH_ASCENDC_TEMPLATE_ARGUMENT_H
#define TILESMITH_ASCENDC_TEMPLATE_ARGUMENT_H

#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)

#endif
