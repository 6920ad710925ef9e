import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import type { Route } from '../../machines/flows/route.ts';
import { channelPort } from '../../machines/ports.ts';
import { stripSecretMarks } from '../../machines/flows/routes.ts';
import type { SecretAddresses } from './secret-addresses.ts';

type PathAndQuery = { pathname: string; search: string };

export type RouteRules = {
  secrets: SecretAddresses;
  parseRoute: (address: PathAndQuery) => Route;
  /** The new address of a moved page, or null. */
  findRedirect: (address: PathAndQuery) => string | null;
  /** Called and awaited before the page is left, so that the trace can be written. */
  onLeave: () => Promise<unknown>;
};

/** Whether an address is of this origin; any other would leave the shop. */
const isSameOrigin = (to: string): boolean => new URL(to, location.href).origin === location.origin;

/** The URL of a return link: with its secrets masked, as machines get it, and in full. */
type ReturnLink = { masked: string; full: string };
/** State of a history entry: the scroll position in pixels, and a return link with secrets. */
type HistoryState = { y?: number; returnLink?: ReturnLink } | null;
const getHistoryState = (): HistoryState => history.state as HistoryState;

/** The browser's history behind the location machine. */
export const createHistoryPort = ({ secrets, parseRoute, findRedirect, onLeave }: RouteRules) =>
  channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    /**
     * The return link in the query of an address such as the sign-in page's; undefined if it has no
     * secret. Stored with the history entry, so that the secret survives a reload.
     */
    const createReturnLink = (to: string): ReturnLink | undefined => {
      const masked = new URL(to, location.href).searchParams.get('return') ?? '';
      const full = secrets.getFullAddress(masked);
      return full === masked ? undefined : { masked, full };
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
    const reportRoute = () => {
      departure = null;
      const { returnLink } = getHistoryState() ?? {};
      if (returnLink) secrets.registerSecret(returnLink.masked, returnLink.full);
      const currentPath = location.pathname + location.search;
      const newPath = findRedirect(location) ?? stripSecretMarks(currentPath);
      if (newPath !== currentPath) history.replaceState(history.state, '', newPath);
      const route = parseRoute(location);
      const { pathname, search } = location;
      secrets.registerSecret(route.path, pathname + search);
      // A link to the sign-in page has the secret in its return address.
      const returnPath = new URLSearchParams(search).getAll('return').at(-1);
      secrets.registerSecret(route.query['return'] ?? '', returnPath ?? '');
      sendBack({ type: 'history.changed', route });
    };
    const onPageShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      departure = null;
      sendBack({ type: 'page.returned' });
    };
    const onHidden = () => {
      if (document.visibilityState === 'hidden') sendBack({ type: 'page.hidden' });
    };
    receive((command) => {
      switch (command.type) {
        case 'history.push':
          if (!isSameOrigin(command.to)) return;
          // Read when the customer returns to this page.
          history.replaceState({ ...getHistoryState(), y: scrollY }, '');
          history.pushState({ returnLink: createReturnLink(command.to) }, '', secrets.getFullAddress(command.to));
          scrollTo(0, 0);
          return reportRoute();
        case 'history.replace':
          if (!isSameOrigin(command.to)) return;
          // A new path starts at the top; a change of the query keeps the scroll position.
          if (new URL(command.to, location.href).pathname !== location.pathname) scrollTo(0, 0);
          history.replaceState(
            { ...getHistoryState(), returnLink: createReturnLink(command.to) },
            '',
            secrets.getFullAddress(command.to),
          );
          return reportRoute();
        case 'history.leave':
          departure = secrets.getFullAddress(command.url);
          return void onLeave().then(depart);
      }
    });
    addEventListener('popstate', reportRoute);
    addEventListener('pageshow', onPageShow);
    document.addEventListener('visibilitychange', onHidden);
    addEventListener('pagehide', onHidden);
    reportRoute();
    return () => {
      departure = null;
      removeEventListener('popstate', reportRoute);
      removeEventListener('pageshow', onPageShow);
      document.removeEventListener('visibilitychange', onHidden);
      removeEventListener('pagehide', onHidden);
    };
  });
