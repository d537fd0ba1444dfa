import type { Events } from './events.ts';
import type { Session } from './session.ts';

/** What responses are made from. */
export interface Context {
  session: Session;
  events: Events;
  token: string;
  /** Of this server, without a path. */
  url: string;
  port: number;
  /** The address that was asked for. */
  host: string | undefined;
}

/** The same for one request. */
export type RequestContext = Context & {
  /** Of this server, as the browser reached it. */
  origin: string;
};
