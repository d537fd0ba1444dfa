import { visibleLines } from '../diagnostics/quote.ts';
import { NoBuildError } from '../io/output/built.ts';
import { serve } from '../io/http/serve.ts';
import { ServeError } from '../io/http/server.ts';
import { portOf, UsageError } from './flags.ts';
import type { Run } from './registry.ts';

export const run: Run = async ({ out = '', 'edge-out': edgeOutDir = '', port, quiet }) => {
  const { url, rules, server } = await serve({ outDir: out, edgeOutDir, port: portOf(port) }).catch(
    (error: unknown) => {
      throw error instanceof ServeError || error instanceof NoBuildError ? new UsageError(error.message) : error;
    },
  );
  // Before the greeting: a program that reads it may stop the server at once.
  const stopped = new Promise<void>((resolve) => {
    const stop = (): void => {
      server.closeAllConnections();
      server.close(() => resolve());
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
  if (!quiet) process.stdout.write(visibleLines(greeting(out, url, rules)));
  await stopped;
  return 0;
};

function greeting(out: string, url: string, { identity }: Awaited<ReturnType<typeof serve>>['rules']): string {
  const read = identity.find(({ credential }) => credential.from === 'cookie' || credential.from === 'header');
  const example = read?.names.toUpperCase();
  const flag =
    read?.credential.from === 'cookie'
      ? `-b ${read.credential.name}=${example}`
      : read?.credential.from === 'header'
        ? `-H '${read.credential.name}: ${example}'`
        : undefined;
  return [
    `Serving ${out}/ on 127.0.0.1, answered as the hosts do.`,
    `  List    ${url}/api/v2/theme/`,
    `  Config  ${url}/api/v2/theme/config/`,
    `  Page    ${url}/api/v2/theme/?format=api`,
    ...(flag === undefined ? [] : [`  As a ${read?.names}: curl ${flag} ${url}/api/v2/theme/config/`]),
    'Press Ctrl+C to stop.',
    '',
  ].join('\n');
}
