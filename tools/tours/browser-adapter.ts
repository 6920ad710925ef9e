/**
 * Generated walks in the real browser.
 *
 * A machine's walks are generated from its path models (`paths.ts` in a folder of
 * `machines/path-models`). `plan.ts` explores the machine as it runs in the shop, where each event
 * to the app gets its reaction in the same step (`in-shop.ts`), and selects walks that cover every
 * transition. `tests/e2e/tours/play.ts` drives the built app on the real server along each walk:
 * - an event of a screen presses the element that has the event's type as `data-event`
 *   (`press.ts`), within the element whose `data-flow` is the machine's name;
 * - `xstate.done.actor.X` and `xstate.error.actor.X` settle port X, whose requests are held until
 *   then (`held-requests.ts`): the server's response is used if it is the one that the walk needs,
 *   else the needed response is injected and noted as `injected` on the test (`settle.ts`,
 *   `wires.ts`);
 * - `xstate.after.*` advances the page's clock, which also drives the timeouts of calls and is
 *   otherwise paused from the start of the walk;
 * - any other event has its own cause in the adapter (`causes`): Back, a second tab, scrolling.
 * After each step `data-state` must be the model's state, and the heading that of the state. The
 * element of a flow that was left, or of a final machine, must be gone.
 *
 * Opening a page takes longer than most walks. If the adapter sets `reusesPage`, the walks of a
 * model share one page (`tests/e2e/tours/one-page.ts`): between two walks the shop navigates to an
 * unknown address and gets another customer, and the machine restarts at the next walk's address.
 * Only the part of the trace after the unknown address counts for the walk
 * (`tests/e2e/tours/trace.ts`).
 *
 * To add a machine: write its `BrowserAdapter` into an `adapter.ts` (`<machine>-adapter.ts`) in its
 * folder below `tools/tours`, where `adapters.ts` finds it. A flow without ports needs no adapter.
 * A machine that needs a parent on the screen starts at the parent's address, and `openScreen`
 * navigates to the machine from there.
 */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, StateValueFrom } from 'xstate';
import type { Edge } from '../../machines/paths/explore.ts';
import type { ShopLocation } from '../shop/running-shop.ts';
import type { StateName } from '../../src/views/state-name.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { Customer } from '../browser/customer.ts';
import type { GetReaction } from './in-shop.ts';

/**
 * A stubbed HTTP response; `lost` is a broken connection, `silent` a request without a response.
 */
export type StubResponse =
  | { status: number; contentType: string; body: string; headers?: Record<string, string> }
  | 'lost'
  | 'silent';

/** A machine's port, as the HTTP requests that it sends. */
export type Port = {
  /** Whether the port sends a request with this URL and method. */
  matches: (url: URL, method: string) => boolean;
  /** Returns the HTTP response to the request at `url` that gives the port the model's output. */
  toResponse: (output: never, url: URL) => StubResponse;
  /**
   * Whether the server's own response is equivalent to the model's output, as far as paths
   * distinguish outputs: then it is used.
   */
  isEquivalent?: (output: never, body: string, url: URL) => boolean;
  /**
   * For a call with side effects, which cannot be tried first: whether the server's response will
   * be the one that the walk needs.
   */
  serverWillAnswer?: (settlement: AnyEventObject, walk: WalkContext) => boolean | Promise<boolean>;
};

/** A running walk: its fixtures, its remaining steps, and the control of its held requests. */
export type WalkContext = {
  page: Page;
  context: BrowserContext;
  shop: ShopLocation;
  /** The element of the machine under test. */
  flow: Locator;
  /**
   * The customer who is signed in at the start or signs in during the walk; created on first use.
   */
  getCustomer: () => Promise<Customer>;
  /** The steps after the current one; before the first step, all steps. */
  remainingSteps: Edge[];
  /** Holds the requests of the machine's ports from now on. */
  startHolding: () => Promise<void>;
  /** Settles the port of a `done` or `error` event, as if the event had no cause in the adapter. */
  settle: (event: AnyEventObject) => Promise<void>;
  /**
   * Passes requests that match a port through to the shop until the port is held again; for times
   * when the machine itself sends none.
   */
  letThrough: (port: string) => Promise<void>;
  /** Holds a port's requests again from now on. */
  hold: (port: string) => void;
  /** Returns the number of a port's held requests. */
  countHeldRequests: (port: string) => number;
  /** Notes on the test that an effect was injected, not caused by the shop or a customer. */
  recordInjection: (description: string) => void;
  /** Notes on the test that the server's own response was used. */
  recordServerResponse: () => void;
};

/** The heading of each top-level state, or null if the state has no heading. */
export type Headings<Machine extends AnyStateMachine> = Record<StateName<StateValueFrom<Machine>>, string | RegExp | null>;

/** The adapter between a machine's model and a browser that runs it. */
export type BrowserAdapter = {
  /** The machine's name in its path models. */
  name: string;
  models: PathModel[];
  /** Returns the path and query at which a walk of a model with this input starts. */
  getStartPath: (input: never) => string;
  ports: Record<string, Port>;
  /**
   * Whether a customer is signed in when a walk of the model starts, if its input and address do
   * not determine it.
   */
  startsSignedIn?: (model: PathModel) => boolean;
  /**
   * Whether the walks of a model share one page: after its screen was left, neither the shop nor
   * the stubs of the adapter may keep state of an earlier walk.
   */
  reusesPage?: boolean;
  /** The headings of the machine's states; without them no state may have a heading. */
  headings?: Record<string, string | RegExp | null>;
  /**
   * Returns the heading of a nested state, or undefined if the top-level state's heading applies.
   */
  getNestedHeading?: (snapshot: AnyMachineSnapshot) => string | RegExp | undefined;
  /** Whether the clock keeps running, as a player needs it; a walk with a timer still pauses it. */
  keepsClockRunning?: boolean;
  /** Whether a state may end before it can be observed. */
  isTransient?: (snapshot: AnyMachineSnapshot) => boolean;
  /** Whether a port settles with this event at once, without a request. */
  settlesByItself?: (event: AnyEventObject) => boolean;
  /** Causes of events that are not a press of an element with their name as `data-event`. */
  causes?: Record<string, (walk: WalkContext, event: AnyEventObject, snapshot: AnyMachineSnapshot) => Promise<void>>;
  /**
   * Prepares data before the page is opened; `remainingSteps` contains the whole walk.
   * @returns a path that replaces `getStartPath`, for entities whose ids the server assigns
   */
  prepare?: (walk: WalkContext, model: PathModel) => Promise<string | undefined>;
  /** Navigates from the start path to the machine's screen, before the first check. */
  openScreen?: (walk: WalkContext, model: PathModel) => Promise<void>;
  /**
   * Checks a state of a machine without an element of its own, instead of `data-state` and heading.
   */
  checkState?: (walk: WalkContext, snapshot: AnyMachineSnapshot) => Promise<void>;
  /** False for events of the model that no screen allows, or that nothing in the shop causes. */
  isPossible?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  /** Whether the browser is no longer in the model's state after a step. */
  isLast?: (edge: Edge) => boolean;
  /** Returns reactions of parent and children that differ from the app's usual ones to a flow. */
  getReaction?: GetReaction;
};
