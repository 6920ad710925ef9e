import { cartPath } from '../../../machines/model/purchase-paths.ts';
import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { isInCart } from '../../../machines/app/cart.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useFrameChild } from '../../views/ownership.ts';

/** When the pressed button is removed, the element in its place takes the focus. */
const moveFocusOnRemoval = (button: HTMLButtonElement): (() => void) => {
  const container = button.parentElement;
  return () =>
    queueMicrotask(() => {
      if (document.activeElement === document.body) container?.querySelector<HTMLElement>('[data-cart]')?.focus();
    });
};

/**
 * The button that adds a title to the cart; for a title in the cart, the link to the cart and the
 * button that removes the title. Rendered disabled before the frame has loaded, so that nothing
 * shifts afterwards.
 */
export const AddToCart = ({ title }: { title: Title }): ReactElement | null => {
  const { sellsTitles } = useBrand();
  const cart = useFrameChild('cartLines');
  const isAdded = useSelector(cart, (snapshot) => snapshot !== undefined && isInCart(snapshot.context, title.id));
  if (!sellsTitles || !title.forSale || isFree(title)) return null;
  const createPressHandler = (type: 'title.added' | 'title.removed') => (): void => cart?.send({ type, titleId: title.id });
  return isAdded ? (
    <>
      <ButtonLink href={cartPath} look="outline" size="lg" data-cart>
        <Trans>View cart</Trans>
      </ButtonLink>
      <Button
        ref={moveFocusOnRemoval}
        look="quiet"
        size="lg"
        px={4}
        data-event="title.removed"
        onClick={createPressHandler('title.removed')}
      >
        <Trans>Remove from cart</Trans>
      </Button>
    </>
  ) : (
    <Button
      ref={moveFocusOnRemoval}
      look="outline"
      size="lg"
      data-cart
      data-event="title.added"
      data-value={title.id}
      disabled={cart === undefined}
      onClick={createPressHandler('title.added')}
    >
      <Trans>Add to cart</Trans>
    </Button>
  );
};
