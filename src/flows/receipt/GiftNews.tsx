import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { giftPath } from '../../../machines/model/paths.ts';
import type { Receipt } from '../../../machines/model/purchase.ts';
import { day } from '../../brand/facts.ts';
import { ButtonLink } from '../../ui/Button.tsx';

type Gift = NonNullable<Receipt['gift']>;

/** To whom a gift goes, and when. */
export const GiftNews = ({ name, gift: { deliverOn, pii } }: { name: string; gift: Gift }): ReactElement => {
  const { t, i18n } = useLingui();
  const { name: recipient } = pii;
  const date = day(deliverOn, i18n.locale);
  return (
    <>
      {deliverOn === ''
        ? t`Your gift for ${recipient}, “${name}”, goes out now.`
        : t`Your gift for ${recipient}, “${name}”, goes out on ${date}.`}
    </>
  );
};

/** What somebody does next who has given something. */
export const GiftWays = ({ titleId }: { titleId: string }): ReactElement => (
  <>
    <ButtonLink href={giftPath(titleId)} size="lg">
      <Trans>Send another gift</Trans>
    </ButtonLink>
    <ButtonLink href="/account" size="lg" look="outline">
      <Trans>Your gifts</Trans>
    </ButtonLink>
  </>
);
