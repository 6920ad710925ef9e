export { flow } from '../ports/receipt.ts';
export { ReceiptView as Screens } from '../views/receipt/ReceiptView.tsx';
