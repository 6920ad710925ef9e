import type { HistoryCommand, HistoryFact } from '../../machines/location.ts';
import type { Route } from '../../machines/model/route.ts';
import { channelPort } from '../../machines/ports.ts';

type RouteOf = (address: { pathname: string; search: string }) => Route;

/** Addresses come as paths of this origin; anything else would leave the shop unasked. */
const isOwn = (to: string): boolean => new URL(to, location.href).origin === location.origin;

/** The browser's history behind the location machine. */
export const historyPort = (routeOf: RouteOf) =>
  channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    const report = () => sendBack({ type: 'history.changed', route: routeOf(location) });
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
          history.pushState(null, '', command.to);
          scrollTo(0, 0);
          return report();
        case 'history.replace':
          if (!isOwn(command.to)) return;
          history.replaceState(history.state, '', command.to);
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
