import type { EventObject } from 'xstate';
import type { WishesFact } from '../../../machines/app/wish-list.ts';
import { wishListMachine, type SavedTitle } from '../../../machines/browsing/wish-list.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { fetchTitlesById } from '../../client/catalogue/some-titles.ts';
import { wishList } from '../../client/cart/wish-list.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ asVisitor, scoped }: AppEnvironment) =>
  wishListMachine.provide({
    actors: {
      savedTitles: requestPort<SavedTitle[], { signedIn: boolean }>(async ({ input: { signedIn }, signal }) => {
        const wishes = await scoped(wishList).read(signedIn, signal);
        const ids = wishes.map(({ titleId }) => titleId);
        const titles = await asVisitor((shop) => fetchTitlesById(shop, ids, signal));
        const savedAt = new Map(wishes.map((wish) => [wish.titleId, wish.savedAt]));
        return titles.map((title) => ({ title, savedAt: savedAt.get(title.id) ?? '' }));
      }),
      wishListSignals: channelPort<EventObject, WishesFact>(({ sendBack }) =>
        scoped(wishList).onChanged(() => sendBack({ type: 'wishes.changed' })),
      ),
    },
  });
