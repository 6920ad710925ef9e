import { cartCheckoutPath } from '../../../machines/model/purchase-paths.ts';
import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isRemovedFromCart } from '../../../machines/app/cart.ts';
import type { cartMachine } from '../../../machines/browsing/cart.ts';
import { hasReducedPrices, type QuotedLine } from '../../../machines/model/buying/cart.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Empty } from '../../ui/Message.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { CartCode } from '../../views/lazy/CartCode.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useFrameChild } from '../../views/ownership.ts';
import { CartCampaigns } from './CartCampaigns.tsx';
import { CartLineView } from './CartLineView.tsx';
import { CartTotal } from './CartTotal.tsx';
import { useQuote } from './use-quote.ts';

type Props = { actor: ActorRefFrom<typeof cartMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your cart…</Trans>
  </Loading>
);

const Lines = chakra('ul', { base: { listStyleType: 'none', '& > li + li': { borderTop: '1px solid', borderColor: 'line' } } });

const BrowseLink = ({ look }: { look?: 'outline' }): ReactElement => (
  <ButtonLink href="/all" {...(look === undefined ? {} : { look })}>
    <Trans>Browse the shop</Trans>
  </ButtonLink>
);

/** The titles, their total, and the button for the payment. */
const Shown = ({ actor }: Props): ReactElement => {
  const { entries, signedIn, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const cart = useFrameChild('cartLines');
  const joinedRemovedIds = useSelector(cart, (snapshot) =>
    entries
      .filter(({ titleId }) => snapshot !== undefined && isRemovedFromCart(snapshot, titleId))
      .map(({ titleId }) => titleId)
      .join(' '),
  );
  const removedIds = new Set(joinedRemovedIds.split(' '));
  const quote = useQuote(entries.filter(({ titleId }) => !removedIds.has(titleId)));
  const quoteWithRemoved = useQuote(entries);
  const getCurrentLine = (line: QuotedLine): QuotedLine => quote.lines.find(({ titleId }) => titleId === line.titleId) ?? line;
  return (
    <chakra.div display="grid" gap={6}>
      <Sheet py={{ base: 1, md: 2 }}>
        <Lines>
          {quoteWithRemoved.lines.map((line) => (
            <CartLineView key={line.titleId} line={getCurrentLine(line)} isRemoved={removedIds.has(line.titleId)} />
          ))}
        </Lines>
      </Sheet>
      <CartCampaigns lines={quoteWithRemoved.lines} removedIds={removedIds} />
      {signedIn ? (
        <CartCode actor={actor} isReduced={hasReducedPrices(entries)} fields={fields} problem={problem} busy={busy} />
      ) : null}
      <CartTotal quote={quote} />
      <chakra.div display="flex" flexWrap="wrap" gap={3} css={{ '& > *': { flex: { base: '1 1 100%', md: 'none' } } }}>
        {quote.total === null ? null : (
          <ButtonLink href={cartCheckoutPath} size="lg">
            <Trans>Check out</Trans>
          </ButtonLink>
        )}
        <BrowseLink look="outline" />
      </chakra.div>
      {signedIn || quote.total === null ? null : (
        <chakra.p fontSize="sm" color="inkMuted">
          <Trans>You’ll be asked to sign in first. Your cart comes with you.</Trans>
        </chakra.p>
      )}
    </chakra.div>
  );
};

const EmptyCart = (): ReactElement => (
  <Empty heading={<Trans>Your cart is empty</Trans>} actions={<BrowseLink />}>
    <Trans>Press “Add to cart” on a title’s page, and pay for several together.</Trans>
  </Empty>
);

const NotShown = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your cart</Trans>} />
);

const screens: Screens<typeof cartMachine> = {
  loading: Fetching,
  shown: Shown,
  empty: EmptyCart,
  failed: NotShown,
};

/** The shopping cart. */
export const CartView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="cart" actor={actor} screens={screens}>
    {(screen) => (
      <Page width="text">
        <chakra.h1 fontSize="3xl" mb={5}>
          <Trans>Your cart</Trans>
        </chakra.h1>
        {screen}
      </Page>
    )}
  </FlowScreen>
);
