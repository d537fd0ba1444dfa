import { COMMANDS } from '../src/commands.ts';

/** Every command, loaded, with its summary. */
export const commands = Object.fromEntries(
  await Promise.all(
    Object.entries(COMMANDS).map(
      async ([name, { summary, load }]) => [name, { summary, ...(await load()).command }] as const,
    ),
  ),
);
