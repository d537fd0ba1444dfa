/** The part of a `Request` that the handler reads; the `Request` of every platform satisfies it. */
export interface EdgeRequest {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
}
