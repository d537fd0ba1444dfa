import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { emitKeypressEvents, type Key } from 'node:readline';
import path from 'node:path';
import { count, visible } from '../diagnostics/quote.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { readGitRemote } from '../io/cms/git-remote.ts';
import { type DevServer, startDevServer } from '../dev/server.ts';
import type { Update } from '../dev/session.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { gitLinks } from '../pages/git-links.ts';
import { ServeError } from '../io/http/server.ts';
import { portOf, UsageError } from './flags.ts';
import type { Run } from './registry.ts';

export const run: Run = async ({ themes = '', cache = '', port, open, quiet }) => {
  const remote = await readGitRemote(path.resolve(themes));
  const onUpdate = (update: Update): void => {
    process.stdout.write(report(update, quiet));
  };
  const links = remote && gitLinks(remote.url, remote.branch, remote.folder);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const options = {
    cwd: process.cwd(),
    themesDir: themes,
    cacheDir: cache,
    port: portOf(port),
    links,
    stop: stop.signal,
    onUpdate,
  };
  const server = await startDevServer(options).catch((error: unknown) => {
    throw error instanceof ServeError ? new UsageError(error.message) : error;
  });
  const restoreTerminal = obeyKeys(server, stop);
  try {
    await server.session.start();
    if (!stop.signal.aborted) {
      if (!quiet) process.stdout.write(greeting(server, themes));
      if (open) openInBrowser(server.url);
      await once(stop.signal, 'abort');
    }
  } finally {
    // After an error, too: otherwise it is printed, and the server listens on.
    stop.abort();
    restoreTerminal();
    await server.close();
  }
  return 0;
};

/** One line after a good build, and the findings. */
function report({ result, isShown, rendered, milliseconds }: Update, quiet: boolean): string {
  const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  const still = isShown ? 'the last good build is shown' : 'nothing can be shown yet';
  if (result instanceof Error)
    return `✘ The themes cannot be shown: ${visible(result.message.replace(/\.$/, ''))}. Save a file again once that is fixed.\n`;
  const { diagnostics, texts, ok, themes } = result;
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const findings = formatText(diagnostics, (file) => texts.get(file), colour);
  if (!ok) return `${findings}✘ ${still}; mend the errors, and it goes on by itself.\n`;
  const pictures = rendered === 0 ? '' : `, ${count(rendered, 'picture')} rendered`;
  return quiet ? findings : `${findings}✔ ${count(themes.length, 'theme')} built in ${time}${pictures}\n`;
}

function greeting({ url, token }: DevServer, themes: string): string {
  return [
    '',
    `  Gallery  ${url}/`,
    `  View as  ${url}/view-as/`,
    `  List     ${url}${LIST.path}`,
    `  Config   ${url}${CONFIG.path}`,
    `  Token    ${token}   for POST to the list, as X-Themecast-Token`,
    '',
    process.stdin.isTTY
      ? `Watching ${themes}/. Press o to open the gallery, r to build everything again, q to stop.`
      : `Watching ${themes}/. Press Ctrl+C to stop.`,
    '',
  ].join('\n');
}

/** On a terminal, single keys; elsewhere nothing is read. */
function obeyKeys({ url, session }: DevServer, stop: AbortController): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', (_: string, { name, ctrl }: Key) => {
    if (name === 'q' || (ctrl && name === 'c')) {
      // Asked twice: what is under way takes too long.
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    }
    if (name === 'o') openInBrowser(url);
    if (name === 'r') void session.rebuild();
  });
  return () => {
    stdin.setRawMode(false);
    stdin.pause();
  };
}

/** With the program that the system has for it. */
function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  execFile(program ?? '', [...args, url], (error) => {
    if (error !== null) process.stdout.write(`No browser could be opened: open ${url}/ yourself.\n`);
  });
}
