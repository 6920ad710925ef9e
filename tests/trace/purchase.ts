import type { AnyActor, EventObject } from 'xstate';
import { seededRandom } from '../../machines/paths/walk.ts';
import { traceFormat, type Run, type Trace } from '../../machines/trace/format.ts';
import { createPseudonymizer } from '../../machines/trace/pseudonym.ts';
import { createRecorder, type Limits } from '../../machines/trace/recorder.ts';
import { tap } from '../../machines/trace/tap.ts';
import { appInput, getFlow, form, openShop, flushPromises } from '../support/open-shop.ts';
import { createTable } from '../../machines/trace/table.ts';
import { unpackRuns } from './recorded.ts';
import { createSimulatedTime, noLimits } from './session.ts';

const steps: EventObject[] = [
  { type: 'buy.pressed' },
  { type: 'pay.pressed' },
  { type: 'signIn.submitted', pii: { form } } as EventObject,
];

const startMs = Date.parse('2026-11-21T09:00:00Z');

type Visit = { start: string; steps: readonly EventObject[]; world?: Parameters<typeof openShop>[1]; pause?: number };

/**
 * Records a visit with `pause` milliseconds before each press. @returns its runs within `bounds`
 */
const recordVisit = async ({ start, steps: presses, world = {}, pause = 2_300 }: Visit, bounds: Limits): Promise<Run[]> => {
  const time = createSimulatedTime();
  const now = () => startMs + time.now();
  const redact = createPseudonymizer(seededRandom(20261121), new Map());
  const table = createTable();
  const recorder = createRecorder({ input: appInput, startedAt: now(), redact, table, bounds, root: () => app as AnyActor });
  const { app } = openShop(start, world, tap({ now, set: time.set, clear: time.clear }, recorder.take));
  for (const event of presses) {
    await flushPromises();
    recorder.trim(now());
    await time.pass(pause);
    getFlow(app).send(event);
  }
  await flushPromises();
  const runs = unpackRuns(recorder.runs(), table);
  app.stop();
  return runs;
};

type TraceOptions = Partial<Trace> & { bounds?: Limits };

/** Records a visit as a trace file stores it. */
export const recordVisitTrace = async (visit: Visit, { bounds = noLimits, ...label }: TraceOptions = {}): Promise<Trace> => ({
  format: traceFormat,
  build: '0.1.0+0',
  machines: {},
  store: 'harbour',
  locale: 'en',
  runs: await recordVisit(visit, bounds),
  ...label,
});

/** Records a purchase by a visitor: title, summary, sign-in, payment. */
export const recordPurchaseTrace = (label: TraceOptions = {}): Promise<Trace> =>
  recordVisitTrace({ start: '/id:1001/the-keeper', steps }, label);
