export { flow } from './ports.ts';
export { GiftView as Screens } from './GiftView.tsx';
