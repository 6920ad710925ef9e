import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import type { Route } from '../../machines/model/route.ts';
import { channelPort } from '../../machines/ports.ts';

type Address = { pathname: string; search: string };

export type Routing = {
  routeOf: (address: Address) => Route;
  /** Where an old address has moved to, or null. */
  redirectOf: (address: Address) => string | null;
};

/** Addresses come as paths of this origin; anything else would leave the shop unasked. */
const isOwn = (to: string): boolean => new URL(to, location.href).origin === location.origin;

/** The browser's history behind the location machine. */
export const historyPort = ({ routeOf, redirectOf }: Routing) =>
  channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    /** Whole addresses by what machines know of them: a way back leads to the secret that was taken out. */
    const withheld = new Map<string, string>();
    const whole = (to: string): string => withheld.get(to) ?? to;
    const report = () => {
      const moved = redirectOf(location);
      if (moved !== null) history.replaceState(history.state, '', moved);
      const route = routeOf(location);
      const { pathname, search } = location;
      if (route.path !== pathname + search) withheld.set(route.path, pathname + search);
      sendBack({ type: 'history.changed', route });
    };
    const returned = (event: PageTransitionEvent) => {
      if (event.persisted) sendBack({ type: 'page.returned' });
    };
    const hidden = () => {
      if (document.visibilityState === 'hidden') sendBack({ type: 'page.hidden' });
    };
    receive((command) => {
      switch (command.type) {
        case 'history.push':
          if (!isOwn(command.to)) return;
          // For the way back to this page.
          history.replaceState({ ...history.state, y: scrollY }, '');
          history.pushState(null, '', whole(command.to));
          scrollTo(0, 0);
          return report();
        case 'history.replace':
          if (!isOwn(command.to)) return;
          history.replaceState(history.state, '', whole(command.to));
          return report();
        case 'history.leave':
          return location.assign(command.url);
      }
    });
    addEventListener('popstate', report);
    addEventListener('pageshow', returned);
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', hidden);
    report();
    return () => {
      removeEventListener('popstate', report);
      removeEventListener('pageshow', returned);
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', hidden);
    };
  });
