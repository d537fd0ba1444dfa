/** Thrown if valid settings cannot be expressed for a host; reported as the diagnostic `edge/inexpressible`. */
export class Inexpressible extends Error {}

export function inexpressible(host: string, text: string, reason: string): Inexpressible {
  return new Inexpressible(`${JSON.stringify(text.slice(0, 40))} cannot be expressed for ${host}: ${reason}`);
}

/** Thrown if the keys exceed the size limit of a host; reported as the diagnostic `edge/too-many-users`. */
export class TooManyKeys extends Error {
  readonly limit: number;
  readonly because: string;

  constructor(limit: number, because: string) {
    super(`At most ${limit} keys fit.`);
    this.limit = limit;
    this.because = because;
  }
}
