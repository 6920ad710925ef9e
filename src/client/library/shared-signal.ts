import type { createTabChannel } from '../environment/across-tabs.ts';
import { createSignal, type Signal } from '../environment/signal.ts';
import type { Scoped } from '../environment/scope.ts';
import { ownershipChanged } from './ownership-changed.ts';

type Tabs = Pick<ReturnType<typeof createTabChannel>, 'onChanged' | 'signalOtherTabs'>;

/**
 * Creates a signal for data that all tabs of a browser show and that a granted title may change: a
 * purchase empties the cart and spends credits.
 */
export const createSharedSignal = ({ onChanged, signalOtherTabs }: Tabs, { scoped }: Scoped<object>): Signal => {
  const signal = createSignal();
  return {
    /** Notifies this tab and the others. */
    emit: () => {
      signal.emit();
      signalOtherTabs();
    },
    /**
     * Calls the listener when the data has changed in any tab, when a title was granted in this tab
     * (other tabs are notified, too), and when the network is back.
     * @returns a function that unsubscribes
     */
    subscribe: (listener) => {
      const unsubscribers = [
        signal.subscribe(listener),
        onChanged(listener),
        scoped(ownershipChanged).subscribe(() => {
          listener();
          signalOtherTabs();
        }),
      ];
      return () => {
        for (const unsubscribe of unsubscribers) unsubscribe();
      };
    },
  };
};
