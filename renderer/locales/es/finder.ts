/** Texts of the results and actions of the palette. */
export const finder = {
  finder: {
    placeholder: 'Número, cliente, importe, página o acción',
    test: 'PRUEBAS: buscas y haces en el libro de pruebas',
    recent: 'Abierto hace poco',
    start: 'Empezar',
    named: 'Páginas y acciones',
    invoiceFor: 'Nueva factura para {name}',
    createInvoice: 'Nueva factura para «{name}»',
    newQuote: 'Nuevo presupuesto',
    system: 'Aspecto como el del sistema',
    normal: 'Filas normales',
    roomy: 'Filas amplias',
    help: 'Ayuda: {topic}',
    groups: {
      companies: 'Empresas',
      invoices: 'Facturas',
      contacts: 'Contactos',
      quotes: 'Presupuestos',
      received: 'Recibidas',
      items: 'Productos y servicios',
    },
  },
}
