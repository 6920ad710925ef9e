import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { titlePath } from '../../../machines/model/paths.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { problemText } from '../../views/problem-text.ts';
import type { ActorRefFrom } from 'xstate';
import type { checkoutMachine } from '../../../machines/buying/checkout.ts';

export type CheckoutProps = { actor: ActorRefFrom<typeof checkoutMachine> };

/** Back to the title's own page, or to the shop's front when the title is not known. */
const Back = ({ actor }: CheckoutProps): ReactElement => {
  const { title, titleId } = useSelector(actor, (state) => state.context);
  const known = title?.id ?? titleId;
  return known === '' ? (
    <ButtonLink href="/" look="outline">
      <Trans>Back to the shop</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink href={titlePath(known, title?.name ?? '')} look="outline">
      <Trans>Back to the title</Trans>
    </ButtonLink>
  );
};

const Retry = ({ actor, children }: CheckoutProps & { children: ReactElement }): ReactElement => (
  <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
    {children}
  </EventButton>
);

export const Failed = ({ actor }: CheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <Message
      role="alert"
      level={1}
      heading={<Trans>The payment did not go through</Trans>}
      actions={
        <>
          <Retry actor={actor}>
            <Trans>Try again</Trans>
          </Retry>
          <Back actor={actor} />
        </>
      }
    >
      {problem === null ? <Trans>Nothing was charged.</Trans> : problemText(problem)}
    </Message>
  );
};

export const Cancelled = ({ actor }: CheckoutProps): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Purchase cancelled</Trans>}
    actions={
      <>
        <Retry actor={actor}>
          <Trans>Start again</Trans>
        </Retry>
        <Back actor={actor} />
      </>
    }
  >
    <Trans>Nothing was charged.</Trans>
  </Message>
);

export const PriceChanged = ({ actor }: CheckoutProps): ReactElement => (
  <Message
    role="alert"
    level={1}
    heading={<Trans>The price has changed</Trans>}
    actions={
      <>
        <Retry actor={actor}>
          <Trans>See the new price</Trans>
        </Retry>
        <Back actor={actor} />
      </>
    }
  >
    <Trans>It changed since you last saw it. Nothing was charged: look at the new price first.</Trans>
  </Message>
);

export const Owned = ({ actor }: CheckoutProps): ReactElement => {
  const { readsHere } = useBrand();
  const { t } = useLingui();
  const name = useSelector(actor, (state) => state.context.title?.name ?? '');
  return (
    <Message
      level={1}
      heading={<Trans>This title is yours already</Trans>}
      actions={
        <>
          {readsHere ? (
            <EventButton actor={actor} event={{ type: 'read.pressed' }}>
              <Trans>Open it now</Trans>
            </EventButton>
          ) : null}
          <ButtonLink href="/mylibrary" look="outline">
            <Trans>My Library</Trans>
          </ButtonLink>
        </>
      }
    >
      {t`“${name}” is in your library. There is nothing to pay.`}
    </Message>
  );
};

export const NotForSale = ({ actor }: CheckoutProps): ReactElement => {
  const { t } = useLingui();
  const name = useSelector(actor, (state) => state.context.title?.name ?? '');
  return (
    <Message level={1} heading={<Trans>Not for sale at the moment</Trans>} actions={<Back actor={actor} />}>
      {t`“${name}” cannot be bought right now.`}
    </Message>
  );
};

export const NotFound = (): ReactElement => (
  <Message
    level={1}
    heading={<Trans>We could not find that title</Trans>}
    actions={
      <ButtonLink href="/">
        <Trans>Back to the shop</Trans>
      </ButtonLink>
    }
  >
    <Trans>It may have left this shop, or the address is wrong. Nothing was charged.</Trans>
  </Message>
);

export const Unavailable = ({ actor }: CheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <Message
      role="alert"
      level={1}
      heading={<Trans>The purchase cannot start yet</Trans>}
      actions={
        <>
          <Retry actor={actor}>
            <Trans>Try again</Trans>
          </Retry>
          <Back actor={actor} />
        </>
      }
    >
      {problem === null ? null : problemText(problem)}
    </Message>
  );
};
