/** Thrown if valid settings cannot be expressed for a host; reported as the diagnostic `edge/inexpressible`. */
export class Inexpressible extends Error {}

export function inexpressible(host: string, text: string, reason: string): Inexpressible {
  return new Inexpressible(`${JSON.stringify(text.slice(0, 40))} cannot be expressed for ${host}: ${reason}`);
}
