import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { isWished } from '../../../machines/app/wish-list.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useFrameChild } from '../../views/ownership.ts';

/**
 * The button that adds a title to the wish list or removes it. Rendered disabled before the frame
 * has loaded, so that nothing shifts afterwards.
 */
export const SaveForLater = ({ titleId }: { titleId: string }): ReactElement => {
  const wishes = useFrameChild('wishes');
  const isSaved = useSelector(wishes, (snapshot) => snapshot !== undefined && isWished(snapshot.context, titleId));
  return (
    <Button
      look="quiet"
      size="lg"
      px={4}
      aria-pressed={isSaved}
      data-event="wish.toggled"
      data-value={titleId}
      disabled={wishes === undefined}
      onClick={() => wishes?.send({ type: 'wish.toggled', titleId })}
      _disabled={{ bg: 'transparent', color: 'ink', borderColor: 'transparent' }}
      css={{ '&[aria-pressed=true] path': { fill: 'currentColor' } }}
    >
      <Icon name="heart" />
      <Trans>Save for later</Trans>
    </Button>
  );
};
