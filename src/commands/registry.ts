// The commands, one line each. The command line, its help and docs/cli.md are made from them.
export { build } from './build.ts';
export { check } from './check.ts';
export { cms } from './cms.ts';
export { dev } from './dev.ts';
export { fix } from './fix.ts';
export { init } from './init.ts';
export { create as new } from './new.ts';
export { palette } from './palette.ts';
export { render } from './render.ts';
export { schema } from './schema.ts';
export { serve } from './serve.ts';
export { verify } from './verify.ts';
export { who } from './who.ts';
