#!/usr/bin/env node
import { main } from './command-line/main.ts';
import { COMMANDS } from './commands.ts';

// The reader of the output may stop before its end, like `head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await main(COMMANDS, process.argv.slice(2));
