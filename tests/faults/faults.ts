import type { CallFault } from './faulty-network.ts';

/** Faults beyond the network: events that happen while a response is awaited. */
export type FaultActions = {
  /**
   * Leaves the page in the middle of the call, by a reload or by going back and returning. The
   * promise never settles.
   */
  leavePage: (navigation: 'reload' | 'back') => Promise<Response>;
  /** Completes the same errand in another tab. */
  completeInAnotherTab: () => Promise<void>;
  /** Kills the shop and restarts it a moment later. */
  killShop: () => Promise<void>;
};

const throwTimeout = (): never => {
  throw new DOMException('The operation timed out.', 'TimeoutError');
};

const throwOffline = (): never => {
  throw new TypeError('fetch failed');
};

/** Sends the first half of a response, then breaks the connection. */
async function truncateBody(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let isHalfSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isHalfSent || bytes.length === 0) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      isHalfSent = true;
    },
  });
  return new Response(body, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } });
}

const htmlOptions = { headers: { 'content-type': 'text/html' } };

/** Faults that can happen to any call, by their names in the table. */
export const faults = {
  'no connection': () => async () => throwOffline(),
  'error 500': () => async () => new Response('', { status: 500 }),
  'timeout before': () => async () => throwTimeout(),
  'timeout after': () => async (send) => {
    await send();
    return throwTimeout();
  },
  'response cut off': () => async (send) => truncateBody(await send()),
  'malformed response': () => async (send) => {
    await send();
    return new Response('<!doctype html><title>Proxy</title>', htmlOptions);
  },
  'session ended': () => async () => new Response('', { status: 401 }),
  'sent twice': () => async (send) => {
    const [, second] = await Promise.all([send(), send()]);
    return second;
  },
  reload:
    ({ leavePage }) =>
    async (send) => {
      await send();
      return leavePage('reload');
    },
  back:
    ({ leavePage }) =>
    async (send) => {
      await send();
      return leavePage('back');
    },
  'two tabs':
    ({ completeInAnotherTab }) =>
    async (send) => {
      await completeInAnotherTab();
      return send();
    },
  'shop killed':
    ({ killShop }) =>
    async (send) => {
      const responsePromise = send().then(
        () => undefined,
        () => undefined,
      );
      await killShop();
      await responsePromise;
      return throwOffline();
    },
} satisfies Record<string, (actions: FaultActions) => CallFault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
