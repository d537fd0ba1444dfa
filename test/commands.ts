import { COMMANDS } from '../src/commands.ts';

/** All commands by name, loaded, with their summaries. */
export const commands = Object.fromEntries(
  await Promise.all(
    Object.entries(COMMANDS).map(
      async ([name, { summary, load }]) => [name, { summary, ...(await load()).command }] as const,
    ),
  ),
);
