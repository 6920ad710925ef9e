import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { giftPath } from '../../../machines/model/purchase-paths.ts';
import type { Receipt } from '../../../machines/model/buying/purchase.ts';
import { formatDay } from '../../brand/facts.ts';
import { ButtonLink } from '../../ui/Button.tsx';

type Gift = NonNullable<Receipt['gift']>;

/** A gift's recipient and delivery day. */
export const GiftDelivery = ({
  name,
  count,
  gift: { deliverOn, pii },
}: {
  name: string;
  count: number;
  gift: Gift;
}): ReactElement => {
  const { t, i18n } = useLingui();
  const { name: recipient } = pii;
  const date = formatDay(deliverOn, i18n.locale);
  if (recipient === '')
    return (
      <>
        {count > 1
          ? t`Your gift of ${plural(count, { one: '# title', other: '# titles' })} is on its way.`
          : t`Your gift, “${name}”, is on its way.`}
      </>
    );
  if (count > 1)
    return (
      <>
        {deliverOn === ''
          ? t`Your gift of ${plural(count, { one: '# title', other: '# titles' })} for ${recipient} is being sent now.`
          : t`Your gift of ${plural(count, { one: '# title', other: '# titles' })} for ${recipient} will be sent on ${date}.`}
      </>
    );
  return (
    <>
      {deliverOn === ''
        ? t`Your gift for ${recipient}, “${name}”, is being sent now.`
        : t`Your gift for ${recipient}, “${name}”, will be sent on ${date}.`}
    </>
  );
};

/** Links for a customer who has given a gift. */
export const GiftLinks = ({ titleId, count }: { titleId: string; count: number }): ReactElement => (
  <>
    {count > 1 ? null : (
      <ButtonLink href={giftPath(titleId)} size="lg">
        <Trans>Send another gift</Trans>
      </ButtonLink>
    )}
    <ButtonLink href="/account" size="lg" {...(count > 1 ? {} : { look: 'outline' })}>
      <Trans>Your gifts</Trans>
    </ButtonLink>
  </>
);
