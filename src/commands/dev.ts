import { execFile } from 'node:child_process';
import { emitKeypressEvents, type Key } from 'node:readline';
import path from 'node:path';
import { count } from '../diagnostics/quote.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { readGitRemote } from '../io/git-remote.ts';
import { type DevServer, startDevServer } from '../dev/server.ts';
import type { Update } from '../dev/session.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { gitLinks } from '../gallery/git-links.ts';
import { ServeError } from '../io/server.ts';
import { portOf, UsageError } from './flags.ts';
import type { Run } from './registry.ts';

export const run: Run = async ({ themes = '', cache = '', port, open, quiet }) => {
  const remote = await readGitRemote(path.resolve(themes));
  let isFirst = true;
  const onUpdate = (update: Update): void => {
    process.stdout.write(report(update, isFirst, quiet));
    isFirst = false;
  };
  const links = remote && gitLinks(remote.url, remote.branch, remote.folder);
  const options = { themesDir: themes, cacheDir: cache, port: portOf(port), links, onUpdate };
  const server = await startDevServer(options).catch((error: unknown) => {
    throw error instanceof ServeError ? new UsageError(error.message) : error;
  });
  if (!quiet) process.stdout.write(greeting(server, themes));
  if (open) openInBrowser(server.url);
  await stopped(server);
  await server.close();
  return 0;
};

/** One line after a good build, and the findings. */
function report({ result, rendered, milliseconds }: Update, isFirst: boolean, quiet: boolean): string {
  const time = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  const still = isFirst ? 'nothing can be shown yet' : 'the last good build is shown';
  if (result instanceof Error) return `✘ The themes cannot be read: ${result.message}\n`;
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

/** Until a key or a signal stops it. */
async function stopped({ url, session }: DevServer): Promise<void> {
  const { stdin } = process;
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGHUP', resolve);
    if (!stdin.isTTY) return;
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.on('keypress', (_: string, { name, ctrl }: Key) => {
      if (name === 'q' || (ctrl && name === 'c')) resolve();
      else if (name === 'o') openInBrowser(url);
      else if (name === 'r') void session.rebuild();
    });
  });
  if (!stdin.isTTY) return;
  stdin.setRawMode(false);
  stdin.pause();
}

/** With the program that the system has for it. */
function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  execFile(program ?? '', [...args, url], (error) => {
    if (error !== null) process.stdout.write(`No browser could be opened: open ${url}/ yourself.\n`);
  });
}
