/** Texts for leaving with everything of a company, and for bringing it back. */
export const leaving = {
  leaving: {
    title: 'Llévatelo todo',
    text: 'Todo lo de esta empresa en un ZIP con formatos abiertos: PDF, XML, JSON y CSV. Se lee sin Sello, y otro Sello lo trae de vuelta.',
    open: 'Llévatelo todo…',
    dialogTitle: 'Todo lo de {company} en un archivo',
    dialogText: 'Se prepara, se vuelve a leer entero para comprobarlo y se descarga.',
    points: {
      documents:
        'Las facturas en PDF tal como se entregaron, las electrónicas, los adjuntos y los registros con las respuestas de la [authority].',
      data: 'Los datos en JSON con su esquema, los libros de [tax], el diario y las listas en CSV y Excel.',
      back: 'Con él, un Sello recién instalado tiene libros iguales: cada importe, cada casilla, cada documento.',
      without: 'No van certificados, contraseñas ni claves. Aquí no cambia nada: puedes seguir trabajando.',
    },
    private:
      'No va cifrado: quien tenga el archivo lee tus clientes e importes. Guárdalo donde solo pueda leerlo quien deba.',
    make: 'Preparar y descargar',
    stay: 'Con muchas facturas tarda unos minutos. No cierres esta página.',
    done: 'Descargado: {file}',
    progress: 'Progreso del archivo',
    step: {
      drawing: 'Dibujando los PDF que faltan: {done} de {total}',
      files: 'Documentos y adjuntos: {done}',
      rows: 'Datos: {done} filas',
      lists: 'Listas: {done} registros',
      proving: 'Comprobando lo escrito: {done} de {total} archivos',
      sending: 'Leyendo el archivo: {percent} %',
      reading: 'Comprobando el archivo: {done} de {total}',
      checking: 'Verificando los libros…',
      copying: 'Trayendo los libros…',
    },
    takeIn: {
      link: 'Traer un archivo de Sello con todo lo de una empresa',
      title: 'Traer una empresa de su archivo',
      text: 'Sello comprueba cada archivo y verifica los libros antes de traer nada. Viene todo o no viene nada.',
      file: 'Archivo ZIP',
      hint: 'El que se descargó en Ajustes > Empresa > Llévatelo todo, sin descomprimir.',
      missing: 'Elige el archivo ZIP.',
      yes: 'Comprobar y traer',
      done: '{company} está aquí, con todo',
      counts:
        '{rows} filas de {files} archivos, iguales que en el archivo; {checks} comprobaciones superadas.',
      held: 'En el libro real no se emite todavía: cuando el Sello anterior ya no emita, empieza una instalación nueva en Registro. El certificado y las contraseñas se añaden otra vez.',
      open: 'Abrir los libros',
    },
  },
}
