import * as v from 'valibot';
import type { InteractiveCommand, InteractiveFact, InteractiveInput } from '../../machines/model/reading/reading.ts';
import { toProblem } from '../../machines/model/problem.ts';
import type { EngineIo } from './engine.ts';
import { fetchMedia } from './fetch-media.ts';
import { isExpired, createRenewable, withRenewedAddress } from './renewable.ts';
import { findMountPoint, mount } from './mount-point.ts';

/**
 * The messages that a title sends: `progress` with its position, `done` at an ending; others are
 * ignored.
 */
// Not a `variant`: nothing else needs that function, which would enlarge the first script of every
// visit.
const Message = v.union([
  v.object({
    type: v.literal('progress'),
    node: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
    totalProgression: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0),
  }),
  v.object({ type: v.literal('done') }),
]);

/**
 * Plays an interactive title in an iframe with an opaque origin, without access to the shop or its
 * storage. Its files are requested relative to the address that it was opened at. When the customer
 * returns to the window, never during play, that address is checked: if it has expired, the title
 * reopens at its last scene, or stops if the customer has lost access.
 */
export const runInteractive = async (
  { url, start }: InteractiveInput,
  { send, receive, signal }: EngineIo<InteractiveCommand, InteractiveFact>,
): Promise<void> => {
  const address = createRenewable(url, () => send({ type: 'interactive.expired' }), signal);
  receive((command) => address.renewed(command.url));
  const checkAddress = () => withRenewedAddress(address, (current) => fetchMedia(current, signal, 'HEAD'));
  try {
    // An iframe of another origin does not report a failure to load.
    const [mountPoint] = await Promise.all([findMountPoint('interactive', signal), checkAddress()]);
    signal.throwIfAborted();
    const iframe = document.createElement('iframe');
    iframe.setAttribute('sandbox', 'allow-scripts');
    iframe.referrerPolicy = 'no-referrer';
    iframe.title = mountPoint.getAttribute('aria-label') ?? document.title;
    Object.assign(iframe.style, { width: '100%', height: '100%', border: '0', display: 'block' });
    let node = start;
    let openedUrl = '';
    const openTitle = () => {
      openedUrl = address.current;
      iframe.src = node === null ? openedUrl : `${openedUrl}#node=${encodeURIComponent(node)}`;
    };
    openTitle();
    const onReturn = async () => {
      if (document.visibilityState === 'hidden') return;
      if (address.current === openedUrl) await checkAddress();
      if (address.current !== openedUrl) openTitle();
    };
    const reportLostAccess = (error: unknown) => {
      const problem = toProblem(error);
      // A running title needs no network: only lost access stops it.
      if (!signal.aborted && isExpired(problem)) send({ type: 'interactive.failed', problem });
    };
    document.addEventListener('visibilitychange', () => void onReturn().catch(reportLostAccess), { signal });
    listen(iframe, send, signal, start, (next) => {
      node = next;
    });
    iframe.addEventListener('load', () => send({ type: 'interactive.ready' }), { once: true, signal });
    mount(mountPoint, iframe, signal);
  } catch (error) {
    if (!signal.aborted) send({ type: 'interactive.failed', problem: toProblem(error) });
  }
};

const listen = (
  iframe: HTMLIFrameElement,
  send: (fact: InteractiveFact) => void,
  signal: AbortSignal,
  start: string | null,
  onMoved: (node: string) => void,
): void => {
  let node = start;
  window.addEventListener(
    'message',
    ({ source, origin, data }: MessageEvent<unknown>) => {
      // Accepts only messages of the iframe itself, while it is sandboxed: its origin is then
      // `null`.
      if (source !== iframe.contentWindow || origin !== 'null') return;
      const { success, output } = v.safeParse(Message, data);
      if (!success) return;
      if (output.type === 'progress') {
        node = output.node;
        onMoved(node);
        send({ type: 'interactive.moved', node, totalProgression: output.totalProgression });
      } else {
        if (node !== null) send({ type: 'interactive.moved', node, totalProgression: 1 });
        send({ type: 'interactive.ended' });
      }
    },
    { signal },
  );
};
