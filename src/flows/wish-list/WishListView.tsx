import { cartPath } from '../../../machines/model/purchase-paths.ts';
import { Plural, Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isInCart } from '../../../machines/app/cart.ts';
import { isRemovedFromWishes } from '../../../machines/app/wish-list.ts';
import type { SavedTitle, wishListMachine } from '../../../machines/browsing/wish-list.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Empty } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useFrameChild, useIsOwned } from '../../views/ownership.ts';
import { TitleCard, TitleCardSkeleton } from '../../views/TitleCard.tsx';

type Props = { actor: ActorRefFrom<typeof wishListMachine> };

const Grid = chakra('ul', {
  base: {
    listStyleType: 'none',
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(auto-fill, minmax(8.5rem, 1fr))', md: 'repeat(auto-fill, minmax(10rem, 1fr))' },
    columnGap: { base: 4, md: 6 },
    rowGap: 8,
    '& > li': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: '1fr auto', gap: 3, minWidth: 0 },
    '& [data-name]': { minHeight: '2lh' },
    '& [data-removed] [data-cover]': { opacity: 0.35 },
  },
});

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f'];

const Fetching = (): ReactElement => (
  <>
    <VisuallyHidden role="status">
      <Trans>Loading your wish list…</Trans>
    </VisuallyHidden>
    <Grid aria-hidden="true">
      {skeletonKeys.map((skeletonKey) => (
        <li key={skeletonKey}>
          <TitleCardSkeleton />
        </li>
      ))}
    </Grid>
  </>
);

/**
 * The button that adds a title to the cart, or the link to the cart that has the title; null for a
 * title that cannot be bought.
 */
const AddToCart = ({ title }: Pick<SavedTitle, 'title'>): ReactElement | null => {
  const { sellsTitles } = useBrand();
  const cart = useFrameChild('cartLines');
  const isAdded = useSelector(cart, (snapshot) => snapshot !== undefined && isInCart(snapshot.context, title.id));
  const isOwned = useIsOwned(title.id);
  if (cart === undefined || isOwned || !sellsTitles || !title.forSale || isFree(title)) return null;
  const name = <VisuallyHidden>{title.name}</VisuallyHidden>;
  return isAdded ? (
    <ButtonLink href={cartPath} look="outline" size="sm" wide>
      <Trans>View cart</Trans>
      {name}
    </ButtonLink>
  ) : (
    <EventButton
      actor={cart}
      event={{ type: 'title.added', titleId: title.id }}
      data-value={title.id}
      look="outline"
      size="sm"
      wide
    >
      <Trans>Add to cart</Trans>
      {name}
    </EventButton>
  );
};

/** A title with the button that removes it from the wish list, and then puts it back. */
const Saved = ({ saved: { title, savedAt } }: { saved: SavedTitle }): ReactElement => {
  const wishes = useFrameChild('wishes');
  const isRemoved = useSelector(wishes, (snapshot) => snapshot !== undefined && isRemovedFromWishes(snapshot, title.id));
  return (
    <li data-removed={isRemoved ? '' : undefined}>
      <TitleCard title={title} hasHeart={false} />
      <chakra.div display="grid" gap={2} minHeight={10} alignContent="start">
        <AddToCart title={title} />
        {wishes === undefined ? null : (
          <EventButton
            actor={wishes}
            event={{ type: 'wish.toggled', titleId: title.id, savedAt }}
            data-value={title.id}
            look="outline"
            size="sm"
            wide
          >
            {isRemoved ? <Trans>Undo</Trans> : <Trans>Remove</Trans>}
            <VisuallyHidden>{title.name}</VisuallyHidden>
          </EventButton>
        )}
      </chakra.div>
    </li>
  );
};

/** Announces the number of titles, also after one has been removed. */
const Count = ({ actor }: Props): ReactElement => {
  const savedTitles = useSelector(actor, ({ context }) => context.saved);
  const left = useSelector(
    useFrameChild('wishes'),
    (snapshot) => savedTitles.filter(({ title }) => snapshot === undefined || !isRemovedFromWishes(snapshot, title.id)).length,
  );
  return (
    <chakra.p role="status" color="inkMuted" mb={5}>
      <Plural value={left} one="# title" other="# titles" />
    </chakra.p>
  );
};

const Shown = ({ actor }: Props): ReactElement => {
  const savedTitles = useSelector(actor, ({ context }) => context.saved);
  return (
    <>
      <Count actor={actor} />
      <Grid>
        {savedTitles.map((entry) => (
          <Saved key={entry.title.id} saved={entry} />
        ))}
      </Grid>
    </>
  );
};

const EmptyWishList = (): ReactElement => (
  <Empty
    heading={<Trans>Nothing saved yet</Trans>}
    actions={
      <ButtonLink href="/all">
        <Trans>Browse the shop</Trans>
      </ButtonLink>
    }
  >
    <Trans>Press the heart on any title to keep it here for later.</Trans>
  </Empty>
);

const NotShown = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your wish list</Trans>} />
);

const screens: Screens<typeof wishListMachine> = {
  loading: Fetching,
  shown: Shown,
  empty: EmptyWishList,
  failed: NotShown,
};

/** The titles that the customer has saved for later. */
export const WishListView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="wishList" actor={actor} screens={screens}>
    {(screen) => (
      <Page>
        <chakra.h1 fontSize="3xl" mb={5}>
          <Trans>Wish list</Trans>
        </chakra.h1>
        {screen}
      </Page>
    )}
  </FlowScreen>
);
