import { showsColours } from '../../system/command-line/colours.ts';
import { once } from 'node:events';
import { defineCommand, UsageError } from '../../system/command-line/command.ts';
import { FLAGS, portOf } from '../../system/command-line/flags.ts';
import type { DevServer } from './server.ts';
import type { Update } from './session/session.ts';
import { formatReport } from '../../core/diagnostics/format-report.ts';
import { sourceText } from '../../compiler/source-text.ts';
import { displayPath } from '../../system/disk/files.ts';
import { count, visible } from '../../core/diagnostics/quote.ts';

export const command = defineCommand({
  examples: ['dev', 'dev --port 9000'],
  flags: {
    themes: FLAGS.themes,
    cache: FLAGS.cache,
    users: { ...FLAGS.users, about: 'A CSV file with more users' },
    port: { type: 'string', value: 'N', about: 'Port; 0 for any free port. Default: 8080, or the next free port' },
    listen: {
      type: 'string',
      value: 'ADDRESS',
      about: 'Address to listen on, such as 0.0.0.0 in a container. Default: 127.0.0.1',
    },
  },
  async run({ themes, cache, users, port, listen }) {
    if (users === '-') throw new UsageError('--users must name a file: standard input can be read only once.');
    const { startDevServer } = await import('./server.ts');
    const { cacheOf } = await import('../../compiler/store-flags.ts');
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
    const server = await startDevServer({
      cwd: process.cwd(),
      themesDir: themes,
      cacheDir: cacheOf({ themes, cache }),
      users,
      port: port === undefined ? undefined : portOf(port),
      host: listen,
      stop: stop.signal,
      onUpdate: (update) => {
        process.stdout.write(report(update, displayPath(themes, process.cwd())));
      },
    });
    server.session.onPolling = (reason) => {
      process.stdout.write(`! Changes are found by polling: ${reason}.\n`);
    };
    try {
      await server.session.start();
      if (!stop.signal.aborted) {
        process.stdout.write(await greeting(server, themes, listen));
        await once(stop.signal, 'abort');
      }
    } finally {
      // Also after an error: otherwise the server would keep the process alive.
      stop.abort();
      await server.close();
    }
    return 0;
  },
});

/** Formats the diagnostics, and a line after a successful build. */
function report({ result, isServed, rendered, milliseconds }: Update, themesDir: string): string {
  const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  const state = isServed
    ? 'The last good build is still served'
    : 'Nothing can be served yet, but the gallery shows all valid parts';
  if (result instanceof Error)
    return `✘ The themes cannot be shown: ${visible(result.message.replace(/\.$/, ''))}. Fix that, and save a file again.\n`;
  const { diagnostics, ok, themes } = result;
  // After a failed build, the warnings of all themes would hide its errors.
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const text = formatReport(ok ? diagnostics : errors, sourceText(themesDir, process.cwd()), {
    colour: showsColours(),
    verbose: false,
    shownBy: 'the gallery shows each',
  });
  if (!ok) return `${text}✘ ${state}. Fix the errors, and the themes are built again.\n`;
  const images = rendered === 0 ? '' : `, ${count(rendered, 'image')} rendered`;
  return `${text}✔ ${count(themes, 'theme')} built in ${time}${images}\n`;
}

async function greeting({ url, token }: DevServer, themes: string, host: string | undefined): Promise<string> {
  const { CONFIG, LIST } = await import('../../core/document/endpoint.ts');
  const { isLoopback } = await import('./guard.ts');
  const warning = 'Everyone who can reach this server can see the themes and, from its pages, change them.';
  return [
    '',
    `  Gallery  ${url}/`,
    `  List     ${url}${LIST.path}`,
    `  Config   ${url}${CONFIG.path}`,
    `  Token    ${token}   for POST to the list, as X-Themecast-Token`,
    ...(host === undefined || isLoopback(host) ? [] : ['', warning]),
    '',
    `Watching ${themes}/. Press Ctrl+C to stop.`,
    '',
  ].join('\n');
}
