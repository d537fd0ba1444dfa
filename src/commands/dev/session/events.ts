import type { ServerResponse } from 'node:http';

/** Tells open pages that there is a new build, with its number. */
export interface Message {
  type: 'built' | 'problems';
  build: number;
}

/** Sends messages to the open pages as server-sent events (HTML standard, §9.2). */
export class Events {
  readonly #pages = new Set<ServerResponse>();

  /** Keeps a response open and sends it the current message. */
  open(response: ServerResponse, now: Message | undefined): void {
    response.statusCode = 200;
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => this.#pages.delete(response));
    this.#pages.add(response);
    response.write(now === undefined ? ': wait\n\n' : event(now));
  }

  send(message: Message): void {
    for (const page of this.#pages) page.write(event(message));
  }
}

function event(message: Message): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}
