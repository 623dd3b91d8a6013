// Types of the scripts beside this file, which `tsc` checks. Nothing of it reaches a browser.

/** Pages have HTML elements only where scripts look for them. */
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelector<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends HTMLElement = HTMLElement>(selectors: string): NodeListOf<E>;
}

/** A refusal of the server, as RFC 9457 describes it. */
interface Problem {
  code?: string;
  detail?: string;
  details?: {
    violations?: { message: string }[];
    fields?: { path: string; message: string }[];
  };
}

/** An event of a stream, or `open` or `error` of its connection, which have no data. */
interface StreamEvent {
  type: string;
  data?: string | undefined;
  lastEventId?: string | undefined;
  /** As an `EventSource`: closed, 2, if the server has refused the stream. */
  target: { readyState: number; url: string };
}
type StreamListener = (event: StreamEvent) => void;
/** What `connection.js` tells a window: an event of the stream with this number, or that it is there. */
interface SharedEvent {
  number?: number;
  type: string;
  data?: string;
  lastEventId?: string;
  isRefused?: boolean;
  /** With which the server has refused the stream. */
  status?: number;
}
/** Gets a state as JSON. */
type StateListener = (state: { data: string }) => void;
/** Ends what it was returned for. */
type End = () => void;

/** A call of a clerk, as the browser keeps it. */
interface KeptCall {
  /** Its key in the store, which counts. */
  order: number;
  /** Ids of the auction and of the user who entered it. */
  place: string;
  /** Name of that user. */
  clerk: string;
  path: string;
  key: string;
  body: string;
  attempted?: boolean;
  isSent?: boolean;
  /** Why the server has refused it. */
  reason?: string | undefined;
}
type CallState = 'WAITING' | 'SENDING' | 'SENT' | 'REFUSED';
/** Why calls are not sent, or may not be up to date. */
type Trouble = 'OFFLINE' | 'SIGNED_OUT' | 'OTHER_USER';
type ShownCall = KeptCall & { state: CallState };
type CallsListener = (calls: ShownCall[], trouble: Trouble | null) => void;

// Islands call these two, which `live.js` and `outbox.js` set.
declare var liveEvents: {
  follow(url: string, listener: StreamListener): End;
  onRefresh(listener: StateListener): End;
};
declare var outbox: {
  follow(place: string, listener: StateListener): End;
  add(call: string): Promise<void>;
  remove(order: number): Promise<boolean>;
};

/** `connection.js` sets it where no other program runs it. */
declare var onconnect: (event: { ports: readonly MessagePort[] }) => void;

/** An exported function of a bundle hydrates the island of its name. */
type Islands = Record<string, ((island: HTMLElement) => unknown) | undefined>;
type Bundle = { default(options: { module_or_path: string }): Promise<unknown>; hydrate(): void };
interface Element {
  /** Leptos keeps here what hydrates the children of an island. */
  $$on_hydrate?: () => void;
}

/** Swagger UI, on the page of the API's documentation. */
declare function SwaggerUIBundle(options: { url: string; dom_id: string; deepLinking: boolean }): unknown;
