import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { wishesMachine } from '../../machines/app/wish-list.ts';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { useHasWishList } from './app-actor.ts';
import { useFrameChild } from './owned.ts';

export type WishButtonProps = { title: Pick<TitleSummary, 'id' | 'name'> };

type WishesProps = WishButtonProps & { wishes: ActorRefFrom<typeof wishesMachine> };

type LazyButton = ComponentType<WishesProps>;

// oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
let lazyButton: LazyButton | null = null;

/** Stores the button once it has been loaded with the frame. */
export const registerWishButton = (button: LazyButton): void => {
  lazyButton = button;
};

const OfWishList = ({ wishes, title }: WishesProps): ReactElement | null => {
  const Button = lazyButton;
  return useHasWishList() && Button ? <Button wishes={wishes} title={title} /> : null;
};

/**
 * A heart that saves a title for later, or removes it; until the frame is loaded, only its space is
 * reserved.
 */
export const WishButton = ({ title }: WishButtonProps): ReactElement | null => {
  const wishes = useFrameChild('wishes');
  return wishes === undefined ? null : <OfWishList wishes={wishes} title={title} />;
};
