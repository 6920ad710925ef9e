import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import type { Route } from '../../machines/flows/route.ts';
import { channelPort } from '../../machines/ports.ts';
import { stripSecretMarks } from '../../machines/flows/routes.ts';
import type { SecretAddresses } from './secret-addresses.ts';

type Address = { pathname: string; search: string };

export type RouteRules = {
  withheld: SecretAddresses;
  parseRoute: (address: Address) => Route;
  /** The new address of a moved page, or null. */
  findRedirect: (address: Address) => string | null;
  /** Awaited before the page is left: the trace must be written by then. */
  recorded: () => Promise<unknown>;
};

/** Only paths of this origin are accepted; other addresses would leave the shop. */
const isSameOrigin = (to: string): boolean => new URL(to, location.href).origin === location.origin;

/**
 * State stored in a history entry: the scroll position, and the whole address of its return link.
 */
type HistoryState = { y?: number; wayBack?: { known: string; whole: string } } | null;
const getHistoryState = (): HistoryState => history.state as HistoryState;

/** The browser's history behind the location machine. */
export const historyPort = ({ withheld, parseRoute, findRedirect, recorded }: RouteRules) =>
  channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    /**
     * A page with a return link to an address with a secret, such as the sign-in page, still has
     * the secret after a reload.
     */
    const wayBackOf = (to: string): { known: string; whole: string } | undefined => {
      const known = new URL(to, location.href).searchParams.get('return') ?? '';
      const whole = withheld.getFullAddress(known);
      return whole === known ? undefined : { known, whole };
    };
    /**
     * The external address that the page is leaving for, until it has left or the customer
     * navigates elsewhere.
     */
    let departure: string | null = null;
    const depart = (): void => {
      if (departure !== null) location.assign(departure);
      departure = null;
    };
    const report = () => {
      departure = null;
      const { wayBack } = getHistoryState() ?? {};
      if (wayBack) withheld.registerSecret(wayBack.known, wayBack.whole);
      const here = location.pathname + location.search;
      const moved = findRedirect(location) ?? stripSecretMarks(here);
      if (moved !== here) history.replaceState(history.state, '', moved);
      const route = parseRoute(location);
      const { pathname, search } = location;
      withheld.registerSecret(route.path, pathname + search);
      // A link to the sign-in page has the secret in its return address.
      const wayBackHere = new URLSearchParams(search).getAll('return').at(-1);
      withheld.registerSecret(route.query['return'] ?? '', wayBackHere ?? '');
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
          if (!isSameOrigin(command.to)) return;
          // For the return to this page.
          history.replaceState({ ...getHistoryState(), y: scrollY }, '');
          history.pushState({ wayBack: wayBackOf(command.to) }, '', withheld.getFullAddress(command.to));
          scrollTo(0, 0);
          return report();
        case 'history.replace':
          if (!isSameOrigin(command.to)) return;
          // A new path starts at the top; a change of the query keeps the scroll position.
          if (new URL(command.to, location.href).pathname !== location.pathname) scrollTo(0, 0);
          history.replaceState({ ...getHistoryState(), wayBack: wayBackOf(command.to) }, '', withheld.getFullAddress(command.to));
          return report();
        case 'history.leave':
          departure = withheld.getFullAddress(command.url);
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
