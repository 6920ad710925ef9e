import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import type { Route } from '../../machines/flows/route.ts';
import { channelPort } from '../../machines/ports.ts';
import { withoutMarks } from '../../machines/flows/routes.ts';
import type { Withheld } from './withheld.ts';

type Address = { pathname: string; search: string };

export type Routing = {
  withheld: Withheld;
  routeOf: (address: Address) => Route;
  /** Where an old address has moved to, or null. */
  redirectOf: (address: Address) => string | null;
  /** Awaited before the shop is left: what the page has done is written down by then, or never. */
  recorded: () => Promise<unknown>;
};

/** Addresses come as paths of this origin; anything else would leave the shop unasked. */
const isOwn = (to: string): boolean => new URL(to, location.href).origin === location.origin;

/** What an entry of the history keeps beside its address: where it was scrolled to, and the whole address of its way back. */
type Kept = { y?: number; wayBack?: { known: string; whole: string } } | null;
const kept = (): Kept => history.state as Kept;

/** The browser's history behind the location machine. */
export const historyPort = ({ withheld, routeOf, redirectOf, recorded }: Routing) =>
  channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    /** A page that leads back to an address with a secret, such as the one for sign-in, knows it after a reload as well. */
    const wayBackOf = (to: string): { known: string; whole: string } | undefined => {
      const known = new URL(to, location.href).searchParams.get('return') ?? '';
      const whole = withheld.wholeOf(known);
      return whole === known ? undefined : { known, whole };
    };
    /** Where the shop is to be left for, until it is, or somebody goes elsewhere. */
    let departure: string | null = null;
    const depart = (): void => {
      if (departure !== null) location.assign(departure);
      departure = null;
    };
    const report = () => {
      departure = null;
      const { wayBack } = kept() ?? {};
      if (wayBack) withheld.withhold(wayBack.known, wayBack.whole);
      const here = location.pathname + location.search;
      const moved = redirectOf(location) ?? withoutMarks(here);
      if (moved !== here) history.replaceState(history.state, '', moved);
      const route = routeOf(location);
      const { pathname, search } = location;
      withheld.withhold(route.path, pathname + search);
      // A link to the sign-in page has the secret in the address that it leads back to.
      const wayBackHere = new URLSearchParams(search).getAll('return').at(-1);
      withheld.withhold(route.query['return'] ?? '', wayBackHere ?? '');
      sendBack({ type: 'history.changed', route });
    };
    const returned = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      departure = null;
      sendBack({ type: 'page.returned' });
    };
    const leftFromView = () => {
      if (document.visibilityState === 'hidden') sendBack({ type: 'page.hidden' });
    };
    receive((command) => {
      switch (command.type) {
        case 'history.push':
          if (!isOwn(command.to)) return;
          // For the way back to this page.
          history.replaceState({ ...kept(), y: scrollY }, '');
          history.pushState({ wayBack: wayBackOf(command.to) }, '', withheld.wholeOf(command.to));
          scrollTo(0, 0);
          return report();
        case 'history.replace':
          if (!isOwn(command.to)) return;
          // Another page begins at its top; the same one, with another query, stays where it is.
          if (new URL(command.to, location.href).pathname !== location.pathname) scrollTo(0, 0);
          history.replaceState({ ...kept(), wayBack: wayBackOf(command.to) }, '', withheld.wholeOf(command.to));
          return report();
        case 'history.leave':
          departure = withheld.wholeOf(command.url);
          return void recorded().then(depart);
      }
    });
    addEventListener('popstate', report);
    addEventListener('pageshow', returned);
    document.addEventListener('visibilitychange', leftFromView);
    addEventListener('pagehide', leftFromView);
    report();
    return () => {
      departure = null;
      removeEventListener('popstate', report);
      removeEventListener('pageshow', returned);
      document.removeEventListener('visibilitychange', leftFromView);
      removeEventListener('pagehide', leftFromView);
    };
  });
