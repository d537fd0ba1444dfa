import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../hosts/contract/send.ts';

const LIST = '/api/v2/theme/';
const CONFIG = '/api/v2/theme/config/';

/** Requests a site continuously as the user tom, and records every failure. */
export class Crawler {
  readonly failures: string[] = [];
  requests = 0;
  readonly #port: number;
  /** The names of the themes that the user may get. */
  readonly #themes: ReadonlySet<unknown>;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(port: number, themes: readonly string[]) {
    this.#port = port;
    this.#themes = new Set(themes);
  }

  start(): void {
    this.#running = this.#crawl();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #crawl(): Promise<void> {
    while (!this.#isStopped) {
      const [list, config] = [await this.#get(LIST), await this.#get(CONFIG)];
      const { name } = (config === '' ? {} : JSON.parse(config)) as { name?: unknown };
      if (!this.#themes.has(name)) this.failures.push(`tom gets ${String(name)}`);
      const urls = (list + config).match(/http:[^"]+\/media\/[^"]+/g) ?? [];
      for (const url of new Set(urls)) await this.#get(new URL(url).pathname);
      await delay(5);
    }
  }

  async #get(target: string): Promise<string> {
    this.requests++;
    try {
      const { status, body } = await send(this.#port, { path: target, headers: { Cookie: 'uid=tom' } });
      if (status !== 200) this.failures.push(`${status} ${target}`);
      return body;
    } catch (error) {
      this.failures.push(`${String(error)} ${target}`);
      return '';
    }
  }
}
