import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitForExit, type Run, start } from './command-line.ts';

/** A process of `themecast dev`. */
export interface DevProcess {
  url: string;
  token: string;
  output: () => string;
  /** Stops the server, and returns its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<Run>;
}

/** Starts the server, on a free port unless the flags contain one, and waits until it watches the themes. */
export async function startDev(
  cwd: string,
  flags: readonly string[] = ['--port', '0'],
  env: Readonly<Record<string, string>> = {},
): Promise<DevProcess> {
  const child = start(['dev', '--cache', '.cache', ...flags], { cwd, env });
  const end = waitForExit(child);
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes('Watching')) resolve();
    });
    end.then(({ stdout, stderr }) => reject(new Error(`dev ended: ${stdout}${stderr}`)), reject);
  });
  return {
    url: /Gallery +(http:\/\/[\d.]+:\d+)\//.exec(printed)?.[1] ?? '',
    token: /Token +(\S+)/.exec(printed)?.[1] ?? '',
    output: () => printed,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
  };
}

/** The event that an open page receives. */
export interface Message {
  type: 'built' | 'problems';
  build: number;
}

/** Returns the diagnostics that prevent a build, from the pages; empty for none. */
export async function problemsAt(url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  const [, box = ''] = /<pre class="diagnostics"[^>]*>(.*?)<\/pre>/s.exec(page) ?? [];
  const text = box.replace(/<[^>]*>/g, '');
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Writes a file atomically, as most editors do. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.part`);
  await writeFile(part, content);
  await rename(part, file);
}

/** Listens to the events of a server, as a page does. */
export async function listen(url: string): Promise<{ next: () => Promise<Message>; close: () => void }> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/__themecast/events`, { signal: stop.signal });
  if (body === null) throw new Error('There are no events.');
  const messages = messagesOf(body);
  return {
    next: async () => {
      const { value } = await messages.next();
      if (value === undefined) throw new Error('The events ended.');
      return value;
    },
    close: () => stop.abort(),
  };
}

async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length)) as Message;
  }
  return undefined;
}
