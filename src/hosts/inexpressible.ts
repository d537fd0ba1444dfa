/** Thrown where settings that are right in themselves cannot be written for a host; becomes the finding `edge/inexpressible`. */
export class Inexpressible extends Error {}

export function inexpressible(host: string, text: string, reason: string): Inexpressible {
  return new Inexpressible(`${host} cannot be told ${JSON.stringify(text.slice(0, 40))}: ${reason}`);
}

/** Thrown where keys are too long, all together, for what a host holds; becomes the finding `edge/too-many-users`. */
export class TooManyKeys extends Error {
  readonly limit: number;
  readonly because: string;

  constructor(limit: number, because: string) {
    super(`It holds ${limit} keys.`);
    this.limit = limit;
    this.because = because;
  }
}
