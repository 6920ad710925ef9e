/**
 * Generated tours in the real browser.
 *
 * A machine's tours come out of its path models (`paths.ts` in a folder of `machines/path-models`).
 * `plan.ts` explores the machine as it runs in the shop, where each message to the app is answered
 * in the same step (`in-shop.ts`), and picks tours that take its every transition. `play.ts` drives
 * the built app on the real server along each of them:
 * - an event of a screen presses the element that carries it as `data-event` (`press.ts`), within the element whose
 *   `data-flow` is the machine's name;
 * - `xstate.done.actor.X` and `xstate.error.actor.X` settle port X, whose requests are held until then (`held.ts`): the
 *   server answers where it says what the tour wants, else that answer is put in its place, marked `injected` on the test
 *   (`settle.ts`, `wires.ts`);
 * - `xstate.after.*` moves the page's clock, which also measures the limits of calls and otherwise stands still from the
 *   tour's start on;
 * - anything else has a cause of its own in the stage (`causes`): Back, a second tab, scrolling.
 * After each step `data-state` is what the model is in, and the heading is that state's; a flow that has been left has no
 * element any more, and so has a machine that is done.
 *
 * To open a page costs more than most tours. Where the stage allows it, the tours of a model share one (`one-page.ts`):
 * between two of them the shop is led to an address without a screen and handed to another customer, and the machine starts
 * anew with the next tour's address. Only what is recorded from there on counts for that tour (`trace.ts`).
 *
 * To add a machine: write its `Stage` into a `stage.ts` (`<machine>-stage.ts`) beside its path models, where `stages.ts` finds it.
 * A flow without ports needs none (`stages.ts`). A machine that needs a parent on the
 * screen starts at the parent's address, and `arrives` leads on from there.
 */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, StateValueFrom } from 'xstate';
import type { Edge } from '../../machines/paths/explore.ts';
import type { ShopPlace } from '../shop/running-shop.ts';
import type { StateName } from '../../src/views/state-name.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { Customer } from '../browser/customer.ts';
import type { Reacts } from './in-shop.ts';

/** An answer on the wire; `lost` is a connection that breaks, `silent` one on which nothing ever comes. */
export type Wire = { status: number; contentType: string; body: string; headers?: Record<string, string> } | 'lost' | 'silent';

/** A machine's port as the requests that it makes. */
export type Port = {
  asks: (url: URL, method: string) => boolean;
  /** The wire's form of a model answer, for the request at `url`. */
  answer: (output: never, url: URL) => Wire;
  /** Whether the server's own answer says the same, as far as paths tell answers apart: then that one is given. */
  says?: (output: never, body: string, url: URL) => boolean;
  /** A call that changes something cannot be tried first: whether the server gives what this settlement wants. */
  serverGives?: (settlement: AnyEventObject, world: World) => boolean | Promise<boolean>;
};

/** A running tour. */
export type World = {
  page: Page;
  context: BrowserContext;
  shop: ShopPlace;
  /** The element of the machine that is toured. */
  flow: Locator;
  /** Who is signed in when the tour starts, or signs in during it; made on first use. */
  customer: () => Promise<Customer>;
  /** The steps from the present one on. */
  ahead: Edge[];
  /** Keeps the requests of the machine's ports from here on. */
  startHolding: () => Promise<void>;
  /** Settles a port as it is done without a cause of its own. */
  settle: (event: AnyEventObject) => Promise<void>;
  /** The shop answers what asks the same as a port, which the machine does not ask at present, until that is to wait again. */
  letThrough: (port: string) => Promise<void>;
  /** Lets a port's next request wait again. */
  hold: (port: string) => void;
  /** The number of a port's requests that wait. */
  waiting: (port: string) => number;
  /** Remembers that something was not the shop's or a customer's own doing. */
  injected: (what: string) => void;
  /** Remembers that the server's own answer was given. */
  answered: () => void;
};

/** A heading of a state: its words, or null where the state has none yet. */
export type Headings<Machine extends AnyStateMachine> = Record<StateName<StateValueFrom<Machine>>, string | RegExp | null>;

/** What stands between a machine's model and a browser that runs it. */
export type Stage = {
  /** The machine, as its path models name it. */
  name: string;
  models: PathModel[];
  /** Where the tour of a model begins. */
  address: (input: never) => string;
  ports: Record<string, Port>;
  /** Whether somebody is signed in when a tour of the model starts, where its input and its address do not tell. */
  startsSignedIn?: (model: PathModel) => boolean;
  /**
   * True where the tours of a model are played in one page, one after another: nothing in it may remember an earlier tour
   * once its screen has been left, neither the shop nor what the stage puts in place of the browser's own doing.
   */
  sharesPage?: boolean;
  /** The heading of each of its states; without them `shows` says how a state is to be seen. */
  headings?: Record<string, string | RegExp | null>;
  /** The heading of a state within a state, where it has one of its own. */
  innerHeading?: (snapshot: AnyMachineSnapshot) => string | RegExp | undefined;
  /** True where a player needs time to go on by itself: only a tour with a timer stops it. */
  timeGoesOn?: boolean;
  /** True for a state that may be over before anybody can look at it. */
  isPassing?: (snapshot: AnyMachineSnapshot) => boolean;
  /** True for a settlement that comes without any request, at once. */
  comesByItself?: (event: AnyEventObject) => boolean;
  /** How events come about that are no press of an element with their name as `data-event`. */
  causes?: Record<string, (world: World, event: AnyEventObject, from: AnyMachineSnapshot) => Promise<void>>;
  /**
   * What else has to be there before the page is opened; `ahead` holds the whole tour. Gives an address that does what the
   * stage's own would, for things that the server names.
   */
  prepares?: (world: World, model: PathModel) => Promise<string | undefined>;
  /** Leads from the address to where the machine is on the screen, before the first look at it. */
  arrives?: (world: World, model: PathModel) => Promise<void>;
  /** How the screen shows a state of a machine that has no element of its own, in place of `data-state` and heading. */
  shows?: (world: World, snapshot: AnyMachineSnapshot) => Promise<void>;
  /** False for what a model has and no screen lets happen, or nothing in the shop causes. */
  isPossible?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  /** True for a step after which the browser is no longer where the model believes it. */
  isLast?: (edge: Edge) => boolean;
  /** Answers of the machine's parent that are not the app's usual ones to a flow. */
  reacts?: Reacts;
};
