// What stands around the scripts of a page: htmx, a classic script of Django-htmx, and the events on the document.

interface HtmxRequest {
  elt: Element;
  verb: string;
  parameters: Record<string, string>;
  formData: FormData;
  triggeringEvent?: Event;
}

interface HtmxDetail extends HtmxRequest {
  target: Element;
  isError?: boolean;
  xhr?: XMLHttpRequest;
  requestConfig: HtmxRequest;
}

interface KeptEntry {
  id: string;
  at: number;
  url: string;
  body: string;
  say: string;
  row?: string;
  by?: string;
  needs?: string;
  why?: string;
}

interface DocumentEventMap {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterSettle": CustomEvent<HtmxDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeSwap": CustomEvent<HtmxDetail>;
  "htmx:confirm": CustomEvent<HtmxDetail>;
  "htmx:configRequest": CustomEvent<HtmxDetail>;
  "htmx:oobBeforeSwap": CustomEvent<{ target: Element; fragment: Node; shouldSwap: boolean }>;
  "htmx:responseError": CustomEvent<HtmxDetail>;
  "htmx:beforeSend": CustomEvent<HtmxDetail>;
  "htmx:sendError": CustomEvent<HtmxDetail>;
  "htmx:timeout": CustomEvent<HtmxDetail>;
  "htmx:xhr:progress": CustomEvent<{ lengthComputable: boolean; loaded: number; total: number }>;
  /** The outbox holds these entries now. */
  outbox: CustomEvent<KeptEntry[]>;
  /** The page was put in place of another. */
  page: CustomEvent<null>;
}

declare const htmx: {
  swap(target: Element, content: string, how: { swapStyle: string }): void;
  trigger(target: Element, name: string): void;
  ajax(verb: string, path: string, how: { target: string; swap: string }): Promise<void>;
};
