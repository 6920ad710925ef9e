import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isWished, type wishesMachine } from '../../../machines/app/wish-list.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { WishButtonProps } from '../../views/WishButton.tsx';

const Heart = chakra('button', {
  base: {
    position: 'absolute',
    right: -2,
    bottom: -2,
    display: 'grid',
    placeItems: 'center',
    width: 10,
    height: 10,
    borderRadius: 'full',
    color: 'inkMuted',
    cursor: 'pointer',
    _hover: { bg: 'sunken', color: 'accentInk' },
    '&[aria-pressed=true]': { color: 'accentInk' },
    '&[aria-pressed=true] path': { fill: 'currentColor' },
  },
});

/** The button that adds a title to the wish list; loaded with the frame. */
export const LazyWishButton = ({
  wishes,
  title: { id, name },
}: WishButtonProps & { wishes: ActorRefFrom<typeof wishesMachine> }): ReactElement => {
  const { t } = useLingui();
  const isSaved = useSelector(wishes, ({ context }) => isWished(context, id));
  return (
    <Heart
      type="button"
      aria-label={t`Save ${name} for later`}
      aria-pressed={isSaved}
      data-event="wish.toggled"
      data-value={id}
      onClick={() => wishes.send({ type: 'wish.toggled', titleId: id })}
    >
      <Icon name="heart" size={20} />
    </Heart>
  );
};
