import type { CallFault } from './faulty-network.ts';

/** Faults beyond the network: events that happen while a response is awaited. */
export type FaultActions = {
  /**
   * Leaves the page in the middle of the call, by a reload or by going back and returning. Never
   * answers.
   */
  leavePage: (how: 'reload' | 'back') => Promise<Response>;
  /** Completes the same errand in another tab. */
  inAnotherTab: () => Promise<void>;
  /** Kills the shop and restarts it a moment later. */
  killShop: () => Promise<void>;
};

const timeout = (): never => {
  throw new DOMException('The operation timed out.', 'TimeoutError');
};

const offline = (): never => {
  throw new TypeError('fetch failed');
};

/** Sends the first half of a response, then breaks the connection. */
async function truncateBody(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent || bytes.length === 0) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      sent = true;
    },
  });
  return new Response(body, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } });
}

const html = { headers: { 'content-type': 'text/html' } };

/** Faults that can happen to any call, by their names in the table. */
export const faults = {
  'no connection': () => async () => offline(),
  'error 500': () => async () => new Response('', { status: 500 }),
  'time-out before': () => async () => timeout(),
  'time-out after': () => async (send) => {
    await send();
    return timeout();
  },
  'answer cut off': () => async (send) => truncateBody(await send()),
  'answer malformed': () => async (send) => {
    await send();
    return new Response('<!doctype html><title>Proxy</title>', html);
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
    ({ inAnotherTab }) =>
    async (send) => {
      await inAnotherTab();
      return send();
    },
  'shop killed':
    ({ killShop }) =>
    async (send) => {
      const answer = send().then(
        () => undefined,
        () => undefined,
      );
      await killShop();
      await answer;
      return offline();
    },
} satisfies Record<string, (incidents: FaultActions) => CallFault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
