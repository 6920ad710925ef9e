import { appMachine } from '../../machines/app.ts';
import { locationMachine } from '../../machines/location.ts';
import type { Route } from '../../machines/model/route.ts';
import { signIn, signUp } from './account.ts';
import { catalogue, landing, title } from './catalogue.ts';
import { checkout, receipt } from './checkout.ts';
import { historyPort } from './history.ts';
import { language } from './language.ts';
import { library } from './library.ts';
import { session } from './session.ts';
import { boot, categories } from './store.ts';
import { viewer } from './viewer.ts';
import { viewportPort } from './viewport.ts';

/** The shop with the world behind its ports. */
export const provideApp = (routeOf: (address: { pathname: string; search: string }) => Route) =>
  appMachine.provide({
    actors: {
      boot,
      session,
      language,
      location: locationMachine.provide({ actors: { history: historyPort(routeOf) } }),
      viewport: viewportPort,
      categories,
      landing,
      catalogue,
      title,
      signIn,
      signUp,
      checkout,
      receipt,
      library,
      viewer,
    },
  });
