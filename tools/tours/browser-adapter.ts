/**
 * Generated walks in the real browser.
 *
 * A machine's walks are generated from its path models (`paths.ts` in a folder of
 * `machines/path-models`). `plan.ts` explores the machine as it runs in the shop, where each event
 * to the app is answered in the same step (`in-shop.ts`), and selects walks that cover its every
 * transition. `tests/e2e/tours/play.ts` drives the built app on the real server along each of them:
 * - an event of a screen presses the element that has it as `data-event` (`press.ts`), within the
 *   element whose `data-flow` is the machine's name;
 * - `xstate.done.actor.X` and `xstate.error.actor.X` settle port X, whose requests are held until
 *   then (`held.ts`): the server responds if its response is the one that the walk needs, else that
 *   response is injected and marked as `injected` on the test (`settle.ts`, `wires.ts`);
 * - `xstate.after.*` advances the page's clock, which also drives the timeouts of calls and is
 *   otherwise paused from the start of the walk;
 * - any other event has its own cause in the stage (`causes`): Back, a second tab, scrolling.
 * After each step `data-state` is the model's state, and the heading is that of the state; a flow
 * that was left, or a final machine, has no element any more.
 *
 * Opening a page takes longer than most walks. If the stage allows it, the walks of a model share
 * one (`one-page.ts` beside it): between two of them the shop goes to an address without a screen
 * and gets another customer, and the machine restarts with the next walk's address. Only the record
 * from there on counts for that walk (`trace.ts` there).
 *
 * To add a machine: write its `BrowserAdapter` into an `adapter.ts` (`<machine>-adapter.ts`) in its
 * folder below `tools/tours`, where `adapters.ts` finds it. A flow without ports needs none. A
 * machine that needs a parent on the screen starts at the parent's address, and `arrives` navigates
 * to the machine from there.
 */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, StateValueFrom } from 'xstate';
import type { Edge } from '../../machines/paths/explore.ts';
import type { ShopLocation } from '../shop/running-shop.ts';
import type { StateName } from '../../src/views/state-name.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { Customer } from '../browser/customer.ts';
import type { Reacts } from './in-shop.ts';

/**
 * A stubbed HTTP response; `lost` is a broken connection, `silent` a request without a response.
 */
export type StubResponse =
  | { status: number; contentType: string; body: string; headers?: Record<string, string> }
  | 'lost'
  | 'silent';

/** A machine's port, as the requests that it sends. */
export type Port = {
  asks: (url: URL, method: string) => boolean;
  /** The HTTP form of a model answer, for the request at `url`. */
  answer: (output: never, url: URL) => StubResponse;
  /**
   * Whether the server's own response is equivalent, as far as paths distinguish answers: then it
   * is used.
   */
  says?: (output: never, body: string, url: URL) => boolean;
  /**
   * For a call with side effects, which cannot be tried first: whether the server's response will
   * be the wanted one.
   */
  serverWillAnswer?: (settlement: AnyEventObject, world: WalkContext) => boolean | Promise<boolean>;
};

/** The fixtures of a running walk. */
export type WalkContext = {
  page: Page;
  context: BrowserContext;
  shop: ShopLocation;
  /** The element of the machine under test. */
  flow: Locator;
  /**
   * The customer who is signed in at the start or signs in during the walk; created on first use.
   */
  customer: () => Promise<Customer>;
  /** The steps from the current one on. */
  ahead: Edge[];
  /** Holds the requests of the machine's ports from now on. */
  startHolding: () => Promise<void>;
  /** Settles a port, as for events without a cause of their own. */
  settle: (event: AnyEventObject) => Promise<void>;
  /**
   * Passes requests that match a port through to the shop, while the machine itself sends none,
   * until the port is held again.
   */
  letThrough: (port: string) => Promise<void>;
  /** Holds a port's next request again. */
  hold: (port: string) => void;
  /** The number of a port's held requests. */
  waiting: (port: string) => number;
  /** Records that an effect was injected, not caused by the shop or a customer. */
  injected: (what: string) => void;
  /** Records that the server's own response was used. */
  answered: () => void;
};

/** The heading of a state, or null if the state has none yet. */
export type Headings<Machine extends AnyStateMachine> = Record<StateName<StateValueFrom<Machine>>, string | RegExp | null>;

/** The adapter between a machine's model and a browser that runs it. */
export type BrowserAdapter = {
  /** The machine's name in its path models. */
  name: string;
  models: PathModel[];
  /** The address at which a walk of the model starts. */
  address: (input: never) => string;
  ports: Record<string, Port>;
  /**
   * Whether a customer is signed in when a walk of the model starts, if its input and address do
   * not determine it.
   */
  startsSignedIn?: (model: PathModel) => boolean;
  /**
   * Whether the walks of a model share one page: after its screen was left, neither the shop nor
   * the stubs of the stage may keep state of an earlier walk.
   */
  reusesPage?: boolean;
  /** The headings of its states; without them `shows` checks a state. */
  headings?: Record<string, string | RegExp | null>;
  /** The heading of a nested state, if it has its own. */
  innerHeading?: (snapshot: AnyMachineSnapshot) => string | RegExp | undefined;
  /** Whether the clock runs because a player needs it: only a walk with a timer pauses it. */
  timeGoesOn?: boolean;
  /** Whether a state may end before it can be observed. */
  isPassing?: (snapshot: AnyMachineSnapshot) => boolean;
  /** Whether a settlement happens at once, without a request. */
  comesByItself?: (event: AnyEventObject) => boolean;
  /** Causes of events that are not a press of an element with their name as `data-event`. */
  causes?: Record<string, (world: WalkContext, event: AnyEventObject, from: AnyMachineSnapshot) => Promise<void>>;
  /**
   * Prepares data before the page is opened; `ahead` contains the whole walk.
   * @returns an address that replaces the stage's own, for entities named by the server
   */
  prepares?: (world: WalkContext, model: PathModel) => Promise<string | undefined>;
  /** Navigates from the address to the machine's screen, before the first check. */
  arrives?: (world: WalkContext, model: PathModel) => Promise<void>;
  /**
   * Checks a state of a machine without an element of its own, instead of `data-state` and heading.
   */
  shows?: (world: WalkContext, snapshot: AnyMachineSnapshot) => Promise<void>;
  /** False for events of the model that no screen allows, or that nothing in the shop causes. */
  isPossible?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  /** Whether the browser is no longer in the model's state after a step. */
  isLast?: (edge: Edge) => boolean;
  /** Reactions of the machine's parent that differ from the app's usual ones to a flow. */
  reacts?: Reacts;
};
