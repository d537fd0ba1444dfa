/** Thrown where settings that are right in themselves cannot be written for a host; becomes the finding `edge/inexpressible`. */
export class Inexpressible extends Error {}

export function inexpressible(host: string, text: string, reason: string): Inexpressible {
  return new Inexpressible(`${host} cannot be told ${JSON.stringify(text.slice(0, 40))}: ${reason}`);
}
