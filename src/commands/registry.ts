import type { Command } from '../command-line/command.ts';
import { build } from './build.ts';
import { check } from './check.ts';
import { cms } from './cms.ts';
import { dev } from './dev.ts';
import { serve } from './serve.ts';
import { verify } from './verify.ts';
import { who } from './who.ts';

/** The commands, in the order of `--help`. The help, `docs/cli.md` and the command line itself are made from them. */
export const commands: Readonly<Record<string, Command>> = { build, check, cms, dev, serve, verify, who };
