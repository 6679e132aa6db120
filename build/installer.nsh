; Offers Sello in «open with» for PDF and XML files. The program that opens them by default stays as it is.
!macro offerToOpen EXTENSION
  WriteRegStr SHELL_CONTEXT "Software\Classes\${EXTENSION}\OpenWithProgids" "Sello.Document" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" "${EXTENSION}" ""
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sello.Document" "" "Sello"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sello.Document\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$appExe" "%1"'
  !insertmacro offerToOpen ".pdf"
  !insertmacro offerToOpen ".xml"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.pdf\OpenWithProgids" "Sello.Document"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.xml\OpenWithProgids" "Sello.Document"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Sello.Document"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
    ; The app itself enters this when it runs.
    DeleteRegKey SHELL_CONTEXT "Software\Classes\sello"
  ${endIf}
!macroend
